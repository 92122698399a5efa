/* The vector kernels, written once for every instruction set.
 *
 * kernels.h includes this file after each of the pages vectors_*.h, which say by macros what its vectors are; the
 * macros end with this file. A name that ends in `_here` gets the level's name instead, as in pm_compare_rows_avx2.
 *
 *   PM_LEVEL                       the level's name
 *   PM_KERNEL                      begins a function for it
 *
 * Bytes
 *   PM_BYTES, PM_BYTES_SIZE        a vector of bytes, and how many
 *   PM_COUNTERS                    counters that hide the latency of counting, 1 or 2
 *   PM_LOAD_BYTES(from)            from int8_t, aligned to the vector's size
 *   PM_ZERO_BYTES()
 *   PM_COUNT_GREATER(counter, a, b), PM_COUNT_EQUAL(counter, a, b)
 *                                  the counter, plus 1 in each byte in which a > b (signed), a == b
 *   PM_SUM_COUNTERS(one, two)      of two arrays of PM_COUNTERS: the sum of the bytes of the first in the lower half of
 *                                  64 bits, that of the second in the upper half
 *
 * Doubles, a divisor of PM_CELL_LANES of them
 *   PM_DOUBLES, PM_DOUBLES_SIZE    a vector of doubles, and how many
 *   PM_LOAD_DOUBLES(from), PM_STORE_DOUBLES(to, a), PM_SET_DOUBLES(number)
 *   PM_ADD_DOUBLES(a, b), PM_MULTIPLY_DOUBLES(a, b)
 *   PM_CONVERT_COUNTS(from, to)    PM_CELL_LANES numbers of 16 bits to an array of vectors
 *
 * Look-ups of bytes, which some lack (they rank hands one by one). Vectors consist of lanes of 16 bytes.
 *   PM_LOOK_UP(table, at)          bytes of PM_TABLE(from), 16 bytes at `from`, at places 0 to 15
 *   PM_LOAD_ROWS(row, apart)       8 bytes from each of the places `row`, `row + apart`, ...: two a lane
 *   PM_SET_BYTES(number), PM_ADD_BYTES(a, b), PM_AND(a, b), PM_OR(a, b), PM_MAX_BYTES(a, b)
 *   PM_ABOVE(a, b)                 by how much each byte of a is greater than that of b, or 0
 *   PM_CARD_RANKS(cards)           ranks of cards
 *   PM_LOW_BYTES(a, b), PM_LOW_PAIRS(a, b), PM_LOW_HALF(a, b); PM_HIGH_...
 *                                  the lower or higher half of each lane of a and b: by turns a byte, two, or eight
 *   PM_TWO_DIGITS(bytes)           digits to base 32, lowest first, made to numbers of 16 bits
 *   PM_FOUR_DIGITS(pairs)          those made to numbers of 32 bits
 *   PM_FIVE_DIGITS(quads, top)     and with a fifth digit
 *   PM_STORE_KEYS(to, keys)        4 numbers of 32 bits a lane; the next lane's go 16 numbers further on
 *   PM_ANY(a), PM_WHICH(a)         whether a byte is not 0, and which ones, as bits
 */

#define PM_PARTS (PM_CELL_LANES / PM_DOUBLES_SIZE)

/* ---------------------------------------------------------------------------------------- rows, see pairs.h */

PM_KERNEL void pm_compare_rows_here(const int8_t *left, const int8_t *right, int length, int n, uint16_t *wins,
                                    uint16_t *ties)
{
    for (int row = 0; row < n; row++, right += length) {
        PM_BYTES won[PM_COUNTERS], tied[PM_COUNTERS];
        uint64_t sums;
        for (int c = 0; c < PM_COUNTERS; c++)
            won[c] = tied[c] = PM_ZERO_BYTES();
        for (int k = 0; k < length; k += PM_COUNTERS * PM_BYTES_SIZE)
            for (int c = 0; c < PM_COUNTERS; c++) {
                PM_BYTES a = PM_LOAD_BYTES(left + k + c * PM_BYTES_SIZE);
                PM_BYTES b = PM_LOAD_BYTES(right + k + c * PM_BYTES_SIZE);
                won[c] = PM_COUNT_GREATER(won[c], a, b);
                tied[c] = PM_COUNT_EQUAL(tied[c], a, b);
            }
        sums = PM_SUM_COUNTERS(won, tied);
        wins[row] = (uint16_t)sums;
        ties[row] = (uint16_t)(sums >> 32);
    }
}

/* ---------------------------------------------------------------------------------------- sums, see cells.h */

PM_KERNEL void pm_add_pairs_here(const uint16_t *win, const uint16_t *tie, const uint16_t *lose, const double *weight,
                                 double hero_weight, int n, double *hero, double *won, double *tied, double *lost)
{
    PM_NO_CONTRACT
    const uint16_t *counts[3] = {win, tie, lose};
    double *other[3] = {lost, tied, won};
    const PM_DOUBLES own = PM_SET_DOUBLES(hero_weight);
    PM_DOUBLES sum[3][PM_PARTS];
    double lane[3][PM_CELL_LANES];
    int start = 0;
    for (int k = 0; k < 3; k++)
        for (int part = 0; part < PM_PARTS; part++)
            sum[k][part] = PM_SET_DOUBLES(0.0);
    for (; start + PM_CELL_LANES <= n; start += PM_CELL_LANES) {
        PM_DOUBLES weights[PM_PARTS], count[PM_PARTS], column[PM_PARTS];
        for (int part = 0; part < PM_PARTS; part++)
            weights[part] = PM_LOAD_DOUBLES(weight + start + part * PM_DOUBLES_SIZE);
        for (int k = 0; k < 3; k++) {
            double *place = other[k] + start;
            PM_CONVERT_COUNTS(counts[k] + start, count);
            /* stored after all is added, so that compilers make vectors of single doubles, too */
            for (int part = 0; part < PM_PARTS; part++) {
                PM_DOUBLES before = PM_LOAD_DOUBLES(place + part * PM_DOUBLES_SIZE);
                column[part] = PM_ADD_DOUBLES(before, PM_MULTIPLY_DOUBLES(own, count[part]));
            }
            for (int part = 0; part < PM_PARTS; part++)
                PM_STORE_DOUBLES(place + part * PM_DOUBLES_SIZE, column[part]);
            for (int part = 0; part < PM_PARTS; part++)
                sum[k][part] = PM_ADD_DOUBLES(sum[k][part], PM_MULTIPLY_DOUBLES(weights[part], count[part]));
        }
    }
    for (int k = 0; k < 3; k++)
        for (int part = 0; part < PM_PARTS; part++)
            PM_STORE_DOUBLES(lane[k] + part * PM_DOUBLES_SIZE, sum[k][part]);
    pm_add_pairs_rest(win, tie, lose, weight, hero_weight, start, n, hero, won, tied, lost, lane);
}

PM_KERNEL void pm_sum_pairs_here(const uint16_t *win, const uint16_t *tie, const uint16_t *lose, const double *weight,
                                 int n, double *hero)
{
    PM_NO_CONTRACT
    const uint16_t *counts[3] = {win, tie, lose};
    PM_DOUBLES sum[3][PM_PARTS];
    double lane[3][PM_CELL_LANES];
    int start = 0;
    for (int k = 0; k < 3; k++)
        for (int part = 0; part < PM_PARTS; part++)
            sum[k][part] = PM_SET_DOUBLES(0.0);
    for (; start + PM_CELL_LANES <= n; start += PM_CELL_LANES) {
        PM_DOUBLES weights[PM_PARTS], count[PM_PARTS];
        for (int part = 0; part < PM_PARTS; part++)
            weights[part] = PM_LOAD_DOUBLES(weight + start + part * PM_DOUBLES_SIZE);
        for (int k = 0; k < 3; k++) {
            PM_CONVERT_COUNTS(counts[k] + start, count);
            for (int part = 0; part < PM_PARTS; part++)
                sum[k][part] = PM_ADD_DOUBLES(sum[k][part], PM_MULTIPLY_DOUBLES(weights[part], count[part]));
        }
    }
    for (int k = 0; k < 3; k++)
        for (int part = 0; part < PM_PARTS; part++)
            PM_STORE_DOUBLES(lane[k] + part * PM_DOUBLES_SIZE, sum[k][part]);
    pm_sum_pairs_rest(win, tie, lose, weight, start, n, hero, lane);
}

/* ---------------------------------------------------------------------------------------- hands, see batch.h */

#ifdef PM_LOOK_UP

/* As many hands at a time as a vector has bytes; whether all rows are hands. The cards are transposed to a vector for
 * each place in the row; look-ups give the digits of each card's rank key to base 32, lowest first, whose sums stay
 * below 256, and its suit as one of four 4-bit counters. The digits make the key of the table look-up, which is done
 * hand by hand. */
PM_KERNEL int pm_rank_batch_here(const pm_evaluator *e, uint8_t digits[5][16], const uint8_t *cards, int width,
                                 uint16_t *ranks)
{
    static const uint8_t suit_bits[2][16] = {{0x01, 0x10, 0, 0}, {0, 0, 0x01, 0x10}};
    const PM_BYTES zero = PM_ZERO_BYTES(), from = PM_SET_BYTES(0x33), five = PM_SET_BYTES((char)0x88);
    PM_BYTES row[8], half[8], at[8], digit[5], sum[5], suits[2], highest = zero, same = zero, low, high;
    uint32_t key[PM_BYTES_SIZE];
    uint64_t flushes;
    for (int d = 0; d < 5; d++) {
        digit[d] = PM_TABLE(digits[d]);
        sum[d] = zero;
    }
    suits[0] = suits[1] = zero;
    for (int i = 0; i < 8; i++)
        row[i] = PM_LOAD_ROWS(cards + i * width, 8 * width);
    for (int i = 0; i < 4; i++) {
        half[i] = PM_LOW_BYTES(row[i], row[i + 4]);
        half[i + 4] = PM_HIGH_BYTES(row[i], row[i + 4]);
    }
    for (int i = 0; i < 2; i++)
        for (int rows = 0; rows < 2; rows++) { /* of each lane 0: rows 0 to 7, 1: rows 8 to 15 */
            row[4 * rows + 2 * i] = PM_LOW_BYTES(half[4 * rows + i], half[4 * rows + i + 2]);
            row[4 * rows + 2 * i + 1] = PM_HIGH_BYTES(half[4 * rows + i], half[4 * rows + i + 2]);
        }
    for (int rows = 0; rows < 2; rows++)
        for (int i = 0; i < 2; i++) { /* places 0 to 3, 4 to 7 */
            half[4 * rows + 2 * i] = PM_LOW_BYTES(row[4 * rows + i], row[4 * rows + i + 2]);
            half[4 * rows + 2 * i + 1] = PM_HIGH_BYTES(row[4 * rows + i], row[4 * rows + i + 2]);
        }
    for (int i = 0; i < 4; i++) {
        at[2 * i] = PM_LOW_HALF(half[i], half[4 + i]);
        at[2 * i + 1] = PM_HIGH_HALF(half[i], half[4 + i]);
    }
    for (int k = 0; k < width; k++) {
        PM_BYTES rank = PM_CARD_RANKS(at[k]), suit = PM_AND(at[k], PM_SET_BYTES(3));
        highest = PM_MAX_BYTES(highest, at[k]);
        for (int other = 0; other < k; other++)
            same = PM_COUNT_EQUAL(same, at[k], at[other]);
        for (int d = 0; d < 5; d++)
            sum[d] = PM_ADD_BYTES(sum[d], PM_LOOK_UP(digit[d], rank));
        for (int h = 0; h < 2; h++)
            suits[h] = PM_ADD_BYTES(suits[h], PM_LOOK_UP(PM_TABLE(suit_bits[h]), suit));
    }
    same = PM_OR(same, PM_ABOVE(highest, PM_SET_BYTES(PM_CARDS - 1)));
    if (PM_ANY(same))
        return 0;
    for (int part = 0; part < 2; part++) { /* the first and the last eight hands of each lane */
        low = PM_TWO_DIGITS(part ? PM_HIGH_BYTES(sum[0], sum[1]) : PM_LOW_BYTES(sum[0], sum[1]));
        high = PM_TWO_DIGITS(part ? PM_HIGH_BYTES(sum[2], sum[3]) : PM_LOW_BYTES(sum[2], sum[3]));
        for (int quarter = 0; quarter < 2; quarter++) {
            PM_BYTES four = quarter ? PM_HIGH_PAIRS(low, high) : PM_LOW_PAIRS(low, high);
            PM_BYTES top = part ? PM_HIGH_BYTES(sum[4], zero) : PM_LOW_BYTES(sum[4], zero);
            top = quarter ? PM_HIGH_PAIRS(top, zero) : PM_LOW_PAIRS(top, zero);
            PM_STORE_KEYS(key + 8 * part + 4 * quarter, PM_FIVE_DIGITS(PM_FOUR_DIGITS(four), top));
        }
    }
    for (int i = 0; i < PM_BYTES_SIZE; i++) {
        pm_hand hand = {key[i], 0};
        ranks[i] = (uint16_t)pm_hand_rank_no_flush(e, hand);
    }
    suits[0] = PM_OR(PM_ADD_BYTES(suits[0], from), PM_ADD_BYTES(suits[1], from));
    for (flushes = PM_WHICH(PM_AND(suits[0], five)); flushes; flushes &= flushes - 1) {
        int i = pm_lowest_bit(flushes);
        ranks[i] = (uint16_t)pm_rank_row(e, cards + i * width, width);
    }
    return 1;
}

/* Rank whole batches; how many hands, at most to the first that is none. */
PM_KERNEL ptrdiff_t pm_rank_batches_here(const pm_evaluator *e, const uint8_t *cards, int width, ptrdiff_t n,
                                         uint16_t *ranks)
{
    static const uint32_t keys[13] = PM_RANK_KEYS;
    uint8_t digits[5][16] = {{0}};
    ptrdiff_t done = 0;
    for (int rank = 0; rank < 13; rank++)
        for (int d = 0; d < 5; d++)
            digits[d][rank] = (uint8_t)(keys[rank] >> (5 * d) & 31);
    /* eight bytes are read of each row: the last rows of a batch are read beyond their ends */
    for (; (done + PM_BYTES_SIZE) * width + 8 - width <= n * width; done += PM_BYTES_SIZE) {
        const uint8_t *batch = cards + done * width;
        int fine = width == 7   ? pm_rank_batch_here(e, digits, batch, 7, ranks + done)
                   : width == 6 ? pm_rank_batch_here(e, digits, batch, 6, ranks + done)
                                : pm_rank_batch_here(e, digits, batch, 5, ranks + done);
        if (!fine)
            break;
    }
    return done;
}

#endif

PM_KERNEL ptrdiff_t pm_rank_rows_here(const pm_evaluator *e, const uint8_t *cards, int width, ptrdiff_t n,
                                      uint16_t *ranks)
{
    ptrdiff_t done = 0, bad;
#ifdef PM_LOOK_UP
    done = pm_rank_batches_here(e, cards, width, n, ranks);
#endif
    bad = pm_rank_row_by_row(e, cards + done * width, width, n - done, ranks + done);
    return bad < 0 ? bad : done + bad;
}

static const pm_kernels pm_kernels_here = {
    pm_rank_rows_here,
    pm_compare_rows_here,
    pm_add_pairs_here,
    pm_sum_pairs_here,
};

#undef PM_PARTS
#undef PM_LEVEL
#undef PM_KERNEL
#undef PM_BYTES
#undef PM_BYTES_SIZE
#undef PM_COUNTERS
#undef PM_LOAD_BYTES
#undef PM_ZERO_BYTES
#undef PM_COUNT_GREATER
#undef PM_COUNT_EQUAL
#undef PM_SUM_COUNTERS
#undef PM_DOUBLES
#undef PM_DOUBLES_SIZE
#undef PM_LOAD_DOUBLES
#undef PM_STORE_DOUBLES
#undef PM_SET_DOUBLES
#undef PM_ADD_DOUBLES
#undef PM_MULTIPLY_DOUBLES
#undef PM_CONVERT_COUNTS
#undef PM_LOOK_UP
#undef PM_TABLE
#undef PM_LOAD_ROWS
#undef PM_SET_BYTES
#undef PM_ADD_BYTES
#undef PM_AND
#undef PM_OR
#undef PM_MAX_BYTES
#undef PM_ABOVE
#undef PM_CARD_RANKS
#undef PM_LOW_BYTES
#undef PM_HIGH_BYTES
#undef PM_LOW_PAIRS
#undef PM_HIGH_PAIRS
#undef PM_LOW_HALF
#undef PM_HIGH_HALF
#undef PM_TWO_DIGITS
#undef PM_FOUR_DIGITS
#undef PM_FIVE_DIGITS
#undef PM_STORE_KEYS
#undef PM_ANY
#undef PM_WHICH

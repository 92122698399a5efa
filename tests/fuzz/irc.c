/* Fuzz target: a hand of the IRC poker database, as _core/irc_hands.pyx reads it: its line of hdb, and below it those of
 * pdb. */
#include "fuzz.h"
#include "pokermodel/texts/irc.h"

static fuzz_digest claim_hand(const char *line, const char *end, int fill)
{
    pm_irc_hand hand;
    pm_irc_row row, rows[PM_SEATS];
    pm_irc_walk walk;
    pm_table table;
    pm_state s;
    fuzz_digest digest = 0;
    const char *begin = line, *stop = line;
    uint32_t seats = 0, blinds = 0;
    int k, round;
    memset(&hand, fill, sizeof hand);
    memset(rows, fill, sizeof rows);
    memset(&walk, fill, sizeof walk);
    memset(&table, 0, sizeof table);
    if ((stop = memchr(line, '\n', (size_t)(end - line))) == NULL || !pm_irc_read_hand(&hand, line, stop - line))
        return digest;
    CLAIM(hand.players >= 2 && hand.players <= PM_SEATS && hand.cards >= 0 && hand.cards <= PM_IRC_BOARD);
    CLAIM(fuzz_inside(hand.time, begin, stop) && fuzz_inside(hand.game, begin, stop));
    for (k = 0; k < hand.cards; k++)
        CLAIM(fuzz_is_card(hand.board[k]));
    digest = fuzz_add(fuzz_add(digest, hand.seconds), hand.pot[PM_ROUNDS - 1]);
    while (stop < end) {
        line = stop + 1;
        stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop ? stop : end;
        memset(&row, fill, sizeof row);
        if (!pm_irc_read_row(&row, line, stop - line))
            return fuzz_add(digest, 1);
        CLAIM(row.dealt >= 2 && row.dealt <= PM_SEATS && row.seat >= 0 && row.seat < row.dealt);
        CLAIM(fuzz_inside(row.name, line, stop) && row.name.length > 0);
        for (round = 0; round < PM_ROUNDS; round++)
            CLAIM(fuzz_inside(row.letters[round], line, stop));
        CLAIM(!row.shown || (fuzz_is_card(row.cards[0]) && fuzz_is_card(row.cards[1])));
        digest = fuzz_add(fuzz_add(fuzz_add(digest, row.bankroll), row.put_in), row.won);
        digest = fuzz_add(digest, row.shown + 2 * row.blind + 4 * row.all_in);
        if (row.dealt != hand.players)
            return digest;
        rows[row.seat] = row;
        seats |= UINT32_C(1) << row.seat;
        if (row.blind)
            blinds |= UINT32_C(1) << row.seat;
    }
    if (seats != (UINT32_C(1) << hand.players) - 1 || (blinds != 1 && blinds != 3))
        return fuzz_add(digest, 2);
    for (k = 0; k < hand.players; k++) {
        table.limit[k] = rows[k].all_in ? rows[k].put_in : rows[k].bankroll <= 0 ? FUZZ_MOST_CHIPS : rows[k].bankroll;
        table.blinds[k] = blinds == 1 ? 10 * (k == 0) : k < 2 ? 5 * (k + 1) : 0;
    }
    table.structure = PM_LIMIT;
    for (round = 0; round < PM_ROUNDS; round++) {
        table.bets[round] = round < 2 ? 10 : 20;
        table.first[round] = (int8_t)(round ? 0 : (blinds == 1 ? 1 : 2) % hand.players);
    }
    if (!fuzz_begin(&s, &table, hand.players) || !pm_irc_play(&s, rows, &walk))
        return fuzz_add(digest, 3);
    fuzz_claim_chips(&s);
    CLAIM(walk.n >= 0 && walk.n <= PM_IRC_ACTIONS && walk.reached >= 0 && walk.reached < PM_ROUNDS);
    for (k = 0; k < walk.n; k++)
        CLAIM(walk.seat[k] >= 0 && walk.seat[k] < hand.players && walk.act[k] >= PM_FOLD && walk.act[k] <= PM_RAISE);
    if (!pm_irc_fits(&s, &hand, rows, &walk))
        return fuzz_add(digest, 4);
    for (k = 0; k < hand.players; k++)
        CLAIM(rows[k].put_in == s.in[k]);
    CLAIM(pm_is_over(&s) && hand.pot[PM_ROUNDS - 1] == s.pot);
    return fuzz_add(digest, walk.n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    CLAIM(claim_hand(text, text + size, 0x55) == claim_hand(text, text + size, 0xaa));
    return 0;
}

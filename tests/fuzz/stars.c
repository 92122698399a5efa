/* Fuzz target: a hand in the text of PokerStars, as _core/stars_hands.pyx reads it. */
#include "fuzz.h"
#include "pokermodel/texts/stars.h"

static void claim_lines(const pm_stars_hand *h, const char *begin, const char *end)
{
    int k, other;
    CLAIM(h->seated >= 0 && h->seated <= PM_SEATS && h->lines <= PM_STARS_LINES);
    CLAIM(h->acts >= 0 && h->acts <= PM_STARS_ACTS && h->known >= 0 && h->known <= h->seated);
    CLAIM(h->cards == 0 || (h->cards >= 3 && h->cards <= PM_STARS_BOARD));
    CLAIM(h->street >= 0 && h->street < PM_ROUNDS && h->button >= 0);
    CLAIM(h->small_blind < h->seated && h->pot >= 0 && h->rake >= 0);
    for (k = 0; k < h->cards; k++)
        CLAIM(fuzz_is_card(h->board[k]));
    for (k = 0; k < h->known; k++)
        CLAIM(h->holders[k] >= 0 && h->holders[k] < h->seated && h->players[h->holders[k]].holds);
    for (k = 0; k < h->acts; k++) {
        CLAIM(h->act[k].player >= 0 && h->act[k].player < h->seated && h->act[k].money >= 0);
        CLAIM(h->act[k].street >= 0 && h->act[k].street < PM_ROUNDS);
        CLAIM(h->act[k].act >= PM_FOLD && h->act[k].act <= PM_RAISE);
    }
    for (k = 0; k < h->seated; k++) {
        const pm_stars_player *p = &h->players[k];
        CLAIM(fuzz_inside(p->name, begin, end) && p->name.length > 0 && p->number >= 0 && p->stack >= 0);
        CLAIM(p->live >= 0 && p->dead >= 0 && p->collected >= 0 && p->returned >= 0);
        CLAIM(!p->holds || (fuzz_is_card(p->cards[0]) && fuzz_is_card(p->cards[1])));
        for (other = 0; other < k; other++)
            CLAIM(h->players[other].number != p->number && !pm_text_same(h->players[other].name, p->name));
    }
}

/* What the first line says of the game: words of the structure, and two amounts in brackets. */
static int read_game(pm_stars_hand *h)
{
    const char *at = h->game.text, *end = at + h->game.length;
    h->structure = PM_TEXT_FIND(at, end, "No Limit") ? PM_NO_LIMIT : PM_TEXT_FIND(at, end, "Pot Limit") ? PM_POT_LIMIT
                                                                                                       : PM_LIMIT;
    if (!(at = PM_TEXT_FIND(at, end, "(")) || !(at = pm_stars_money(at + 1, end, &h->small)))
        return 0;
    return PM_TEXT_BEGINS(at, end, "/") && pm_stars_money(at + 1, end, &h->large) && h->small && h->large;
}

static fuzz_digest claim_hand(const char *text, const char *end, int fill)
{
    pm_stars_hand h;
    pm_table table;
    pm_state s;
    int64_t blinds[PM_SEATS], excess = 0, sum = 0;
    fuzz_digest digest = 0;
    const char *line;
    int seat, k, who, round;
    uint32_t seats = 0;
    memset(&h, fill, sizeof h);
    memset(blinds, fill, sizeof blinds);
    memset(&table, 0, sizeof table);
    if (!(line = pm_stars_header(&h, text, end)))
        return digest;
    CLAIM(line > text && line <= end && (line == end || line[-1] == '\n'));
    CLAIM(fuzz_inside(h.id, text, line) && h.id.length > 0 && fuzz_inside(h.game, text, line));
    CLAIM(fuzz_inside(h.hour, text, line) && fuzz_inside(h.zone, text, line) && h.zone.length >= 2);
    CLAIM(h.minute >= 0 && h.minute < 60 && h.second >= 0 && h.second < 60);
    digest = fuzz_add(fuzz_add(digest, h.minute), h.second);
    if (!read_game(&h) || !pm_stars_lines(&h, line, end))
        return fuzz_add(digest, 1);
    claim_lines(&h, text, end);
    digest = fuzz_add(fuzz_add(fuzz_add(digest, h.acts), h.pot), h.rake);
    if (!pm_stars_seats(&h, blinds))
        return fuzz_add(digest, 2);
    CLAIM(h.n >= 2 && h.n <= h.seated && h.unit > 0 && PM_STARS_HUNDREDTHS % h.unit == 0);
    CLAIM(h.first >= 0 && h.first < h.n && h.later >= 0 && h.later < h.n);
    for (seat = 0; seat < h.n; seat++) {
        const pm_stars_player *p = &h.players[(int)h.order[seat]];
        CLAIM(h.order[seat] >= 0 && h.order[seat] < h.seated && p->seat == seat && p->dealt);
        CLAIM(p->stack % h.unit == 0 && p->dead % h.unit == 0 && blinds[seat] % h.unit == 0);
        seats |= UINT32_C(1) << h.order[seat];
        table.limit[seat] = p->stack / h.unit;
        table.blinds[seat] = blinds[seat] / h.unit;
        table.dead[seat] = p->dead / h.unit;
    }
    CLAIM(pm_count_seats(seats) == h.n);
    table.structure = (int8_t)h.structure;
    for (round = 0; round < PM_ROUNDS; round++) {
        table.bets[round] = (h.structure == PM_LIMIT && round < 2 ? h.small : h.large) / h.unit;
        table.first[round] = (int8_t)(round ? h.later : h.first);
    }
    if (!fuzz_begin(&s, &table, h.n) || !pm_stars_play(&s, &h))
        return fuzz_add(digest, 3);
    fuzz_claim_chips(&s);
    CLAIM(pm_is_over(&s));
    digest = fuzz_add(digest, s.pot);
    who = pm_stars_excess(&s, &h, &excess);
    CLAIM(excess >= 0 && who < h.n && (who < 0 || (s.live >> who & 1)));
    if (!pm_stars_settle(&s, &h, who, excess))
        return fuzz_add(digest, 4);
    for (k = 0; k < h.n; k++)
        sum += h.players[(int)h.order[k]].collected;
    CLAIM(sum + h.rake == (s.pot - (who < 0 ? 0 : excess)) * h.unit);
    return fuzz_add(digest, sum);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data, *end = text + size, *next;
    if ((next = pm_stars_next(text, end)) != NULL)
        CLAIM(next > text && next < end && next[-1] == '\n' && PM_TEXT_BEGINS(next, end, "PokerStars "));
    CLAIM(claim_hand(text, end, 0x55) == claim_hand(text, end, 0xaa));
    return 0;
}

/* Fuzz target: a document of PHH, as _core/phh_hands.pyx reads it. */
#include "fuzz.h"
#include "pokermodel/texts/phh.h"

static void claim_amounts(const pm_phh_amounts *amounts)
{
    int k;
    CLAIM(amounts->n >= -1 && amounts->n <= PM_SEATS);
    for (k = 0; k < amounts->n; k++)
        CLAIM(amounts->money[k] >= 0);
}

static void claim_fields(const pm_phh_hand *h, const char *begin, const char *end)
{
    int k, j;
    CLAIM(h->keys >= 0 && h->keys < PM_PHH_KEYS && h->named >= -1 && h->named <= PM_SEATS);
    CLAIM(h->steps >= -1 && h->steps <= PM_PHH_STEPS);
    for (k = 0; k < h->keys; k++)
        CLAIM(fuzz_inside(h->key[k], begin, end) && h->key[k].length > 0);
    for (k = 0; k < h->named; k++)
        CLAIM(fuzz_inside(h->name[k], begin, end) && h->name[k].length > 0);
    for (k = 0; k < h->steps; k++) {
        const pm_phh_step *step = &h->step[k];
        CLAIM(step->kind >= PM_FOLD && step->kind <= PM_PHH_SHOW);
        CLAIM(step->cards >= 0 && step->cards <= PM_PHH_BOARD);
        CLAIM(step->kind == PM_PHH_DEAL || (step->seat >= 0 && step->seat < PM_SEATS));
        CLAIM(step->kind != PM_RAISE || step->money >= 0);
        for (j = 0; j < step->cards; j++)
            CLAIM(fuzz_is_card(step->card[j]));
    }
    CLAIM(!h->id.text || fuzz_inside(h->id, begin, end));
    CLAIM(!h->currency.text || fuzz_inside(h->currency, begin, end));
    CLAIM(!h->zone.text || fuzz_inside(h->zone, begin, end));
    CLAIM(!h->own.text || fuzz_inside(h->own, begin, end));
    CLAIM(h->hour >= -1 && h->hour < 24);
    CLAIM(h->hour < 0 || (h->minute >= 0 && h->minute < 60 && h->second >= 0 && h->second < 60));
    claim_amounts(&h->starting);
    claim_amounts(&h->finishing);
    claim_amounts(&h->antes);
    claim_amounts(&h->blinds);
}

static fuzz_digest claim_hand(const char *text, const char *end, int fill)
{
    pm_phh_hand h;
    pm_table table;
    pm_state s;
    fuzz_digest digest = 0;
    int n, k, round;
    memset(&h, fill, sizeof h);
    memset(&table, 0, sizeof table);
    if (!pm_phh_read(&h, text, end))
        return digest;
    claim_fields(&h, text, end);
    digest = fuzz_add(fuzz_add(fuzz_add(digest, h.keys), h.steps), h.year);
    digest = fuzz_add(fuzz_add(digest, h.raises), h.trims);
    if (!pm_phh_complete(&h))
        return fuzz_add(digest, 1);
    n = h.starting.n;
    CLAIM(n >= 2 && n == h.named && n == h.antes.n && n == h.blinds.n && (h.finishing.n < 0 || h.finishing.n == n));
    CLAIM(h.unit > 0 && PM_PHH_PARTS % h.unit == 0);
    for (k = 0; k < n; k++) {
        int place = n == 2 ? 1 - k : k; /* of two, the second is named first */
        CLAIM(h.starting.money[k] % h.unit == 0 && h.antes.money[k] % h.unit == 0 && h.blinds.money[k] % h.unit == 0);
        table.limit[k] = h.starting.money[k] / h.unit;
        table.blinds[k] = h.blinds.money[place] / h.unit;
        table.dead[k] = h.antes.money[place] / h.unit;
    }
    table.structure = (int8_t)h.structure;
    for (round = 0; round < PM_ROUNDS; round++) {
        table.bets[round] = (round < 2 ? h.small : h.big) / h.unit;
        table.first[round] = (int8_t)(round ? 0 : n == 2 ? 1 : 2 % n);
    }
    if (!fuzz_begin(&s, &table, n) || !pm_phh_play(&s, &h))
        return fuzz_add(digest, 2);
    fuzz_claim_chips(&s);
    CLAIM(pm_is_over(&s) && h.cards >= 0 && h.cards <= PM_PHH_BOARD && h.known >= 0 && h.known <= n);
    CLAIM(pm_count_seats(h.holds) == h.known && h.holds >> n == 0 && h.mucked >> n == 0);
    for (k = 0; k < h.cards; k++)
        CLAIM(fuzz_is_card(h.board[k]));
    for (k = 0; k < h.known; k++)
        CLAIM(h.holders[k] >= 0 && h.holders[k] < n && h.holds >> h.holders[k] & 1);
    return fuzz_add(fuzz_add(digest, s.pot), h.cards);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    CLAIM(claim_hand(text, text + size, 0x55) == claim_hand(text, text + size, 0xaa));
    return 0;
}

"""Fitting a prior to hands: what people do with their holdings, and in which ways they differ.

``python -m tools.fit FILE... --out PRIOR``, from a clone; see `tools.fit.__main__`.

All hands count. A hand that nobody showed counts by every holding that is left: the gradient of the log-likelihood of
what was done is a mean over holdings given all acts of the hand (Fisher's identity). That is EM with one step of
gradient in place of each maximisation. A holding that was shown is the only one.

1. Sizes of bets, where there are any: a network of their own (`tools.fit.sizes`).
2. The network of choices alone: stochastic gradients (Adam, Kingma and Ba 2015, with decoupled weight decay, Loshchilov
   and Hutter 2019) over the hands of players in random order (`tools.fit.choices`, for this and the next two steps).
3. Directions in which players differ: a Gaussian belief about all effects of each player, hand after hand. The
   directions are the principal components of the beliefs about players who are seen often.
4. Network and loadings together, each hand with the effects and factors that the hands before it taught. So shapes are
   learnt with levels taken out. Populations and players are followed anew for each pass.
5. Kinds of tables: the levels of strangers at tables that say the same of themselves (`tools.fit.kinds`).
6. What sizes say of holdings, each by its quarter of the player's own sizes (`tools.fit.sizes`).
7. What bets on the river say beyond the likelihood (`tools.fit.polarity`).

Limit and the other structures are games of their own, each with a network.
"""

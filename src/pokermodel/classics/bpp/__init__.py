"""BPP (Korb, Nicholson and Jitnah 1999; Carlton 2000): a Bayesian network whose tables are learnt from players."""

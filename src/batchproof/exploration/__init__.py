"""Random programs: what a profile may play, under a pure model of what is possible and how it has to end."""

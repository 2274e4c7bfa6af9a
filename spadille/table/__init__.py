"""Play in a terminal: a person against bots, or a transcript of bots alone."""

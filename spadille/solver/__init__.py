"""The perfect-information solver: `solve` a position with all cards open, `review` a deal that was played."""

"""Perfect-information search: cards alone over tables (`tricks`), and whole states through the kernel (`positions`)."""

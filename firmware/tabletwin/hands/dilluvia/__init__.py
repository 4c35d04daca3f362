"""The hands of people who play Dilluvia Project: they bring tiles and put them away, as all hands can."""

"""What a telephone finds without a network, against what the server finds."""

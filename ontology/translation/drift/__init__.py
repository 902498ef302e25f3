"""What a translation lost, or says otherwise than its original."""

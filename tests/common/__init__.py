"""What several tests share: hands to learn, made-up histories, and textbook versions of what is fast."""

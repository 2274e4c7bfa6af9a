"""Other rulesets, each one small change away: would the cases notice?"""

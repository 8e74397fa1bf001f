export type Tokens = { access: string; refresh: string }

/** An API key, the name and password of a user, or the tokens of an earlier sign-in. Without: anonymous. */
export type Credentials = { apiKey: string } | { username: string; password: string } | Tokens

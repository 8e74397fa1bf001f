/** JSON for a statement. Half of a surrogate pair, which PostgreSQL refuses, becomes U+FFFD. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'string' ? member.replace(loneSurrogates, '\ufffd') : member,
  )

const loneSurrogates = /\p{Surrogate}/gu

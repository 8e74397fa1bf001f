const charsMax = 200

/** The name that a program gives itself, bounded and on one line. */
export const cleanUserAgent = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cs}]/gu, ' ').slice(0, charsMax)

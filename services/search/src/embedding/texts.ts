/**
 * Texts as they are sent to a model: on one line and at most `charsMax` characters long, cut at the end of a word.
 * A blank text becomes a full stop, because some models refuse it.
 */
export const textsToEmbed = (texts: string[], charsMax: number): string[] =>
  texts.map((text) => {
    const line = text
      .slice(0, 4 * charsMax)
      .replace(/\s+/g, ' ')
      .trim()
    if (line.length <= charsMax) return line || '.'
    const end = line.lastIndexOf(' ', charsMax)
    return line.slice(0, end > 0 ? end : charsMax)
  })

// The target of the compiler does not know this flag.
const unicodeSets = 'v'
const one = new RegExp('^\\p{RGI_Emoji}$', unicodeSets)
const variationSelector = /\ufe0f/g
// What is drawn as text unless that follows; a skin tone says it, too.
const drawnAsText = /(\p{Emoji})(?<!\p{Emoji_Presentation})(?!\p{Emoji_Modifier})/gu

/** No emoji is longer. */
const charsMax = 64

/**
 * One emoji as Unicode recommends it for interchange (RGI), fully qualified: with or without the selectors that
 * keyboards leave out, it is the same. Undefined for anything else.
 */
export function emojiOf(text: string): string | undefined {
  if (text.length > charsMax) return undefined
  const qualified = text.replace(variationSelector, '').replace(drawnAsText, '$1\ufe0f')
  return one.test(qualified) ? qualified : undefined
}

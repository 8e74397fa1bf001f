// A constant, because the compiler rejects this flag for its target.
const unicodeSets = 'v'
const one = new RegExp('^\\p{RGI_Emoji}$', unicodeSets)
const variationSelector = /\ufe0f/g
// Emoji that are drawn as text unless a variation selector or a skin tone follows.
const textPresentation = /(\p{Emoji})(?<!\p{Emoji_Presentation})(?!\p{Emoji_Modifier})/gu

/** Longer than any emoji. */
const charsMax = 64

/**
 * The fully qualified form of one RGI emoji (recommended for general interchange), with or without the variation
 * selectors that keyboards omit. Undefined for any other text.
 */
export function emojiOf(text: string): string | undefined {
  if (text.length > charsMax) return undefined
  const qualified = text.replace(variationSelector, '').replace(textPresentation, '$1\ufe0f')
  return one.test(qualified) ? qualified : undefined
}

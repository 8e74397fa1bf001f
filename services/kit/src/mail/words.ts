// What hides, or turns the direction of the text around it; the two joiners that scripts need stay.
const unseen = /(?![\u200c\u200d])\p{C}/gu
const charsMax = 100

/**
 * A sentence with values of users in it. What they could disturb it with is taken out, and long ones
 * are cut: words`${name} invites you`.
 */
export function words(parts: TemplateStringsArray, ...values: string[]): string {
  return parts.reduce((text, part, index) => `${text}${shown(values[index - 1] ?? '')}${part}`)
}

function shown(value: string) {
  const chars = [...value.replaceAll(/\s+/gu, ' ').replaceAll(unseen, '').trim()]
  return chars.length > charsMax ? `${chars.slice(0, charsMax - 1).join('')}…` : chars.join('')
}

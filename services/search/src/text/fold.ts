/** Letters that Unicode does not decompose, although readers take them for one or two Latin letters. */
const spelled: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  þ: 'th',
  ς: 'σ',
}
const spelledLetters = new RegExp(`[${Object.keys(spelled).join('')}]`, 'g')

/** Accents, and the points of Hebrew and Arabic. The vowel signs of Indic scripts tell words apart, and stay. */
const accents = new RegExp(
  [
    ...[
      '[\\u0300-\\u036f\\u0483-\\u0487',
      '\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7',
    ],
    ...['\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670', '\\u1ab0-\\u1aff\\u1dc0-\\u1dff'],
    '\\u20d0-\\u20ff\\ufe00-\\ufe0f\\ufe20-\\ufe2f]',
  ].join(''),
  'gu',
)
const isAscii = /^[\0-\x7f]*$/

/** Without case and accents, in the compatible form of Unicode. Takes linear time. */
export function fold(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replace(accents, '')
    .toLowerCase()
    .normalize('NFKC')
    .replace(spelledLetters, (letter) => spelled[letter] ?? letter)
}

const greek: Record<string, string> = {
  α: 'alpha',
  β: 'beta',
  γ: 'gamma',
  δ: 'delta',
  ε: 'epsilon',
  ζ: 'zeta',
  η: 'eta',
  θ: 'theta',
  ι: 'iota',
  κ: 'kappa',
  λ: 'lambda',
  μ: 'mu',
  ν: 'nu',
  ξ: 'xi',
  ο: 'omicron',
  π: 'pi',
  ρ: 'rho',
  σ: 'sigma',
  τ: 'tau',
  υ: 'upsilon',
  φ: 'phi',
  χ: 'chi',
  ψ: 'psi',
  ω: 'omega',
}

/** Folded text with the Latin names of its Greek letters: `tnf-α` becomes `tnf-alpha`. */
export const latinNames = (folded: string): string =>
  folded.replace(/[α-ω]/g, (letter) => greek[letter] ?? letter)

import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Only the beginning of longer passwords is estimated: the cost grows more than quadratically. */
const charactersMax = 32
/** Bounds the texts about the owner, which are not validated yet. */
const ownersTextMax = 254
/** Substitutions tried for `p4$$w0rd`. An estimate took 74 ms with the library's default of 100, and 11 ms with 10. */
const substitutionsMax = 10

/**
 * Whether a million guesses find the password, which takes days at `FAILED_SIGN_INS_PER_MINUTE_AND_ACCOUNT_MAX`: it is
 * common, or made of common passwords, the owner's names, dates, repetitions or adjacent keys. Takes at most 11 ms.
 */
export function isGuessable(password: string, ownersTexts: string[]): boolean {
  const texts = ownersTexts.map((text) => text.slice(0, ownersTextMax))
  return getEstimator().check(password, texts).score < 2
}

type Estimator = InstanceType<typeof import('@zxcvbn-ts/core')['ZxcvbnFactory']>
let estimator: Estimator | undefined

/** Created on first use: it takes 130 ms and 23 MB, which most processes never need. */
function getEstimator(): Estimator {
  estimator ??= createEstimator()
  return estimator
}

function createEstimator() {
  const { ZxcvbnFactory }: typeof import('@zxcvbn-ts/core') = require('@zxcvbn-ts/core')
  const common: typeof import('@zxcvbn-ts/language-common') = require('@zxcvbn-ts/language-common')
  return new ZxcvbnFactory({
    dictionary: { passwords: common.dictionary['passwords-common'] },
    graphs: common.adjacencyGraphs,
    maxLength: charactersMax,
    l33tMaxSubstitutions: substitutionsMax,
  })
}

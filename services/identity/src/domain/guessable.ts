import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Longer ones are judged by how they begin: what an estimate costs grows with more than the square. */
const charactersMax = 32
/** What the owner is called may be what is refused, and as long as a body. */
const ownersTextMax = 254
/** Ways to read `p4$$w0rd` that are tried. With the library's 100 an estimate took 74 ms, with 10 it takes 11. */
const substitutionsMax = 10

/**
 * Whether a million guesses find it, which is days at `FAILED_SIGN_INS_PER_MINUTE_AND_ACCOUNT_MAX`: a common password, or
 * one that is made of such, of what the owner is called, of dates, repetitions or neighbouring keys. 11 ms at most.
 */
export function isGuessable(password: string, ownersTexts: string[]): boolean {
  const texts = ownersTexts.map((text) => text.slice(0, ownersTextMax))
  return estimator().check(password, texts).score < 2
}

type Estimator = InstanceType<typeof import('@zxcvbn-ts/core')['ZxcvbnFactory']>
let made: Estimator | undefined

/** Made when a password is first chosen: that takes 130 ms and 23 MB, which most processes never need. */
function estimator(): Estimator {
  made ??= makeEstimator()
  return made
}

function makeEstimator() {
  const { ZxcvbnFactory }: typeof import('@zxcvbn-ts/core') = require('@zxcvbn-ts/core')
  const common: typeof import('@zxcvbn-ts/language-common') = require('@zxcvbn-ts/language-common')
  return new ZxcvbnFactory({
    dictionary: { passwords: common.dictionary['passwords-common'] },
    graphs: common.adjacencyGraphs,
    maxLength: charactersMax,
    l33tMaxSubstitutions: substitutionsMax,
  })
}

import { findChromium } from '../src/exports/pdf/chromium.js'

/** As the settings are in tests: their content is not hostile enough to need a sandbox where there is none. */
export const found = findChromium({ path: '', user: 'nobody', sandboxRequired: false })

/** Why a test is skipped if there is no Chromium. */
export const withoutChromium: string | false = typeof found === 'string' ? found : false
if (withoutChromium && process.env.FIGBASE_CI) {
  throw new Error('chromium is missing: .ci/run installs it')
}

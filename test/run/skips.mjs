/** What may be skipped in CI, and why; anything else that is skipped there is a failure. */
const allowed = [
  {
    file: 'test/e2e/custom-storage.test.ts',
    name: 'custom storage',
    why: 'one process has no S3; the same run has it in replicas, on a test server',
  },
  {
    file: 'services/kit/src/ports/objects/file-system.test.ts',
    name: 'file system: who has the URL, and no one else, puts the object that it names',
    why: 'a file system has no addresses for clients; the contract shows this on S3',
  },
  {
    file: 'services/all/test/start.test.ts',
    name: 'an ordinary user runs everything as themselves',
    why: 'a clone may be for root alone to read',
  },
]

/** Why a skipped test is a failure, if it is one. */
export function whyNotSkipped(file, name, reason, env = process.env) {
  if (!env.FIGBASE_CI) return undefined
  if (allowed.some((each) => each.file === file && each.name === name)) return undefined
  const said = typeof reason === 'string' && reason !== '' ? ` (${reason})` : ''
  return `was skipped${said}: in CI only what test/run/skips.mjs names may be`
}

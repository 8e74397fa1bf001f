/** The tests that may be skipped in CI, with the reason; any other skipped test fails. */
const allowed = [
  {
    file: 'test/e2e/custom-storage.test.ts',
    name: 'custom storage',
    why: 'there is no S3 in one process; the same run tests it with replicas and a test server',
  },
  {
    file: 'services/kit/src/objects/file-system.test.ts',
    name: 'file system: accepts a direct upload only with the presigned URL',
    why: 'a file system has no URLs for clients; tested on S3',
  },
  {
    file: 'services/stories-ai/test/pptx.test.ts',
    name: 'LibreOffice opens a presentation with all kinds of slides',
    why: 'LibreOffice is large; its Debian package is libreoffice-impress',
  },
  {
    file: 'services/all/test/start.test.ts',
    name: 'an ordinary user runs all processes as that user',
    why: 'only root may be able to read the clone',
  },
  {
    file: 'services/compute/test/local-as-user.test.ts',
    name: 'an ordinary user can confine notebooks, too',
    why: 'only root may be able to read the clone',
  },
]

/** The reason why a skipped test fails; undefined if it may be skipped. */
export function whyNotSkipped(file, name, reason, env = process.env) {
  if (!env.FIGBASE_CI) return undefined
  if (allowed.some((each) => each.file === file && each.name === name)) return undefined
  const given = typeof reason === 'string' && reason !== '' ? ` (${reason})` : ''
  return `skipped${given}: in CI only tests listed in test/run/skips.mjs may be skipped`
}

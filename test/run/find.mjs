import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageDirs, root } from '../../services/all/prepare.mjs'

const e2e = join('test', 'dist', 'e2e')

/** The compiled test files whose source's path contains one of the fragments. */
export function findTests(fragments) {
  const files = packageDirs()
    .map((dir) => join(dir, 'dist'))
    .filter((dist) => existsSync(join(root, dist)))
    .flatMap((dist) => readdirSync(join(root, dist), { recursive: true }).map((f) => join(dist, f)))
    .filter((file) => file.endsWith('.test.js') && hasSource(file) && isWanted(file, fragments))
    .sort()
  const short = files.filter((file) => !isLong(file))
  return {
    unit: short.filter((file) => !file.startsWith(e2e)),
    e2e: short.filter((file) => file.startsWith(e2e)),
    long: files.filter(isLong),
  }
}

// Fault and soak runs, for `npm run test:long`.
const isLong = (file) => file.endsWith('.long.test.js')

// Those about what may differ between one process and many: calls, events, files, counters, what is remembered.
// A whole run has the others in one topology only; `npm test -- --replicated` has all of them.
const ofBothTopologies = [
  'accounts',
  'api-keys',
  'attacks',
  'authorization-matrix-1',
  'broken-uploads',
  'comments',
  'concurrency',
  'custom-storage',
  'downloads',
  'events',
  'http',
  'journey',
  'leaving',
  'metadata-proxy',
  'no-object-left',
  'password-reset',
  'settings',
  'sharing',
  'sign-in',
  'sign-in-in-browser',
  'tasks',
  'thumbnails',
  'update-races',
  'updates',
  'uploads',
  'uploads-after-break',
  'uploads-by-client',
  'users',
  'writes',
]

export const isOfBothTopologies = (file) =>
  ofBothTopologies.some((name) => file.endsWith(`/${name}.test.js`))

/** Where a compiled file comes from. */
export const sourceOf = (file) => file.replace(/(^|\/)dist\//, '$1').replace(/\.js$/, '.ts')

// The compiler leaves behind what it made of a source that is gone by now.
const hasSource = (file) => existsSync(join(root, sourceOf(file)))

const isWanted = (file, fragments) =>
  fragments.length === 0 || fragments.some((part) => sourceOf(file).includes(part))

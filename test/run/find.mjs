import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageDirs, root } from '../../services/all/prepare.mjs'

const e2e = join('test', 'dist', 'e2e')

/** The compiled test files with a source path that contains one of the fragments. */
export function findTests(fragments) {
  const files = packageDirs()
    .map((dir) => join(dir, 'dist'))
    .filter((dist) => existsSync(join(root, dist)))
    .flatMap((dist) => readdirSync(join(root, dist), { recursive: true }).map((f) => join(dist, f)))
    .filter((file) => file.endsWith('.test.js') && hasSource(file) && isSelected(file, fragments))
    .sort()
  const short = files.filter((file) => !isLong(file))
  return {
    unit: short.filter((file) => !file.startsWith(e2e)),
    e2e: short.filter((file) => file.startsWith(e2e)),
    long: files.filter((file) => isLong(file) && !file.startsWith(e2e)),
    longE2e: files.filter((file) => isLong(file) && file.startsWith(e2e)),
  }
}

// Fault and soak tests, for `npm run test:long`.
const isLong = (file) => file.endsWith('.long.test.js')

// Tests of behaviour that may differ between one process and many: calls, events, files, counters, caches. A full run
// runs the others in one topology only; `npm test -- --replicated` runs all of them.
const ofBothTopologies = [
  'admin-pages',
  'api-keys',
  'attacks',
  'authorization-matrix-1',
  'billing',
  'interrupted-uploads',
  'comments',
  'concurrency',
  'custom-storage',
  'downloads',
  'events',
  'git',
  'http',
  'publish-and-delete',
  'search',
  'account-deletion',
  'ai',
  'ai-stories',
  'ai-streams',
  'metadata-proxy',
  'orphaned-objects',
  'password-reset',
  'settings',
  'sharing',
  'sign-in',
  'stories-model',
  'tasks',
  'thumbnails',
  'update-races',
  'uploads',
  'resumed-uploads',
  'webhooks',
  'writes',
]

export const isOfBothTopologies = (file) =>
  ofBothTopologies.some((name) => file.endsWith(`/${name}.test.js`))

// They expect Chromium on the machine of Figbase, which the image does not contain.
const withChromium = ['information-leaks', 'stories-exports']

/** `npm run test:long` runs these with the services in the image. */
export const isPossibleInImage = (file) =>
  !withChromium.some((name) => file.endsWith(`/${name}.test.js`))

/** A full run also runs these with the engine on Typesense. */
export const isOfSearch = (file) => /\/search(-model)?\.test\.js$/.test(file)

/** The source of a compiled file. */
export const sourceOf = (file) => file.replace(/(^|\/)dist\//, '$1').replace(/\.js$/, '.ts')

// The compiler does not delete the output of deleted sources.
const hasSource = (file) => existsSync(join(root, sourceOf(file)))

const isSelected = (file, fragments) =>
  fragments.length === 0 || fragments.some((part) => sourceOf(file).includes(part))

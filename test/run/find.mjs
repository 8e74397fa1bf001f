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

// Those in which objects are stored and read in every way there is.
const ofContent = [
  'broken-uploads',
  'content',
  'custom-storage',
  'derive',
  'downloads',
  'no-object-left',
  'round-trip',
  'thumbnails',
  'update-races',
  'updates',
  'uploads',
]

/** Whether a file of the product's suite is also run where the objects are on S3. */
export const isOfContent = (file) => ofContent.some((name) => file.endsWith(`/${name}.test.js`))

// Long ones about what does not depend on which process does it: a whole run has them in one topology.
const ofOneTopology = [
  'authorization-matrix-2',
  'auto-assign',
  'bad-uploads',
  'log',
  'long-lists',
  'many-objects',
  'members',
  'mentions',
  'pages',
  'pages-comments',
  'pages-comments-in-browser',
  'pages-in-browser',
  'plans',
  'revision-model',
  'shapes',
  'thumbnails',
]

export const isOfBothTopologies = (file) =>
  !ofOneTopology.some((name) => file.endsWith(`/${name}.test.js`))

/** Where a compiled file comes from. */
export const sourceOf = (file) => file.replace(/(^|\/)dist\//, '$1').replace(/\.js$/, '.ts')

// The compiler leaves behind what it made of a source that is gone by now.
const hasSource = (file) => existsSync(join(root, sourceOf(file)))

const isWanted = (file, fragments) =>
  fragments.length === 0 || fragments.some((part) => sourceOf(file).includes(part))

import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'

/**
 * The packages that those in `folders` need at run time, directly or not, in the layout of pnpm: each with its folder, the
 * symbolic links by which it finds its dependencies, and their names. Those that are not `isWanted` are left out.
 */
export function packagesFor(root, folders, isWanted = () => true) {
  const found = new Map()
  const waiting = folders.map((folder) => realpathSync(join(root, folder)))
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (found.has(folder)) continue
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const one = {
      name: manifest.name,
      version: manifest.version,
      manifest,
      folder: relative(root, folder),
      isOurs: !folder.includes(`${sep}node_modules${sep}`),
      needs: [],
      links: [],
    }
    found.set(folder, one)
    for (const [name, isOptional] of dependenciesOf(manifest)) {
      if (!isWanted(name)) continue
      const place = placeOf(root, folder, name)
      if (!place && !isOptional) throw new Error(`${one.name} lacks ${name}`)
      if (!place) continue
      const target = realpathSync(place)
      one.needs.push(relative(root, target))
      if (lstatSync(place).isSymbolicLink()) {
        one.links.push({ path: relative(root, place), target: readlinkSync(place) })
      }
      waiting.push(target)
    }
  }
  return [...found.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1))
}

/** The names, and whether a package may be absent: what is for another platform, or a peer that nobody installed. */
function dependenciesOf({ dependencies, optionalDependencies, peerDependencies }) {
  const names = new Map()
  for (const name of Object.keys(peerDependencies ?? {})) names.set(name, true)
  for (const name of Object.keys(dependencies ?? {})) names.set(name, false)
  for (const name of Object.keys(optionalDependencies ?? {})) names.set(name, true)
  return names
}

/** Where Node.js finds a package, from a folder upwards, but not outside of the root. */
function placeOf(root, folder, name) {
  for (let at = folder; at.startsWith(resolve(root)); at = dirname(at)) {
    const place = join(at, 'node_modules', name)
    if (existsSync(join(place, 'package.json'))) return place
  }
  return undefined
}

import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

type Manifest = {
  name: string
  version: string
  license?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

export type Installed = { name: string; version: string; license: string }

const workspace = new URL('../../../../../pnpm-workspace.yaml', import.meta.url)
/** Packages that pnpm leaves out: `"name": "-"` among the overrides. */
const removed = new Set(
  [...readFileSync(workspace, 'utf8').matchAll(/^ {2}"?([^"\s]+)"?: "-"$/gm)].map(
    ([, name]) => name,
  ),
)

/** The packages that those in `folders` need at run time, directly or not, without those of the workspace. */
export function installedFor(folders: string[]): Installed[] {
  const found = new Map<string, Installed>()
  const seen = new Set<string>()
  const waiting = folders.map((folder) => realpathSync(folder))
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (seen.has(folder)) continue
    seen.add(folder)
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
    const { name, version, license = '', dependencies, optionalDependencies } = manifest
    if (folder.includes('node_modules')) {
      found.set(`${name}@${version}`, { name, version, license })
    }
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) {
      if (removed.has(needed)) continue
      const installed = resolve(folder, needed)
      // What is optional may be for another platform.
      if (installed) waiting.push(installed)
      else if (!optionalDependencies?.[needed]) throw new Error(`${name} lacks ${needed}`)
    }
  }
  return [...found.values()]
}

/** As Node.js looks for a package, from a folder upwards. */
function resolve(folder: string, name: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const candidate = join(at, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate)
    if (at === dirname(at)) return undefined
  }
}

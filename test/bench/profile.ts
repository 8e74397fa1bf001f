import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Window } from './measure.js'

type Frame = { functionName: string; url: string; lineNumber: number }
type Profile = {
  nodes: { id: number; callFrame: Frame }[]
  startTime: number
  samples: number[]
  timeDeltas: number[]
}

const functionsMax = 40
const modulesMax = 20
const idle = new Set(['(idle)', '(root)'])

/** Prints the self time of the main threads under load, by module and by function. */
export function printProfiles(dir: string, windows: Window[]): void {
  for (const file of readdirSync(dir).filter((name) => name.endsWith('.cpuprofile'))) {
    const profile: Profile = JSON.parse(readFileSync(join(dir, file), 'utf8'))
    const byFunction = selfTimes(profile, windows)
    const total = [...byFunction.values()].reduce((sum, { us }) => sum + us, 0)
    if (total < 100_000) continue
    const byModule = new Map<string, number>()
    for (const { frame, us } of byFunction.values()) {
      byModule.set(moduleOf(frame), (byModule.get(moduleOf(frame)) ?? 0) + us)
    }
    const functions = [...byFunction].map(([name, { us }]) => [name, us] as const)
    console.log(`\n${file}: ${(total / 1e6).toFixed(1)} s busy`)
    console.log(`\n${shares([...byModule], total, modulesMax)}`)
    console.log(`\n${shares(functions, total, functionsMax)}`)
  }
}

function selfTimes({ nodes, startTime, samples, timeDeltas }: Profile, windows: Window[]) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const times = new Map<string, { frame: Frame; us: number }>()
  let nowUs = startTime
  samples.forEach((id, index) => {
    nowUs += timeDeltas[index] ?? 0
    const frame = frames.get(id)
    const lasted = timeDeltas[index + 1] ?? 0
    if (!frame || idle.has(frame.functionName)) return
    if (!windows.some(({ fromUs, toUs }) => nowUs >= fromUs && nowUs < toUs)) return
    const name = `${frame.functionName || '(anonymous)'} ${placeOf(frame)}`
    times.set(name, { frame, us: (times.get(name)?.us ?? 0) + lasted })
  })
  return times
}

function shares(entries: (readonly [string, number])[], total: number, max: number): string {
  const largest = entries.toSorted(([, a], [, b]) => b - a).slice(0, max)
  const percent = (us: number) => `${((100 * us) / total).toFixed(1)} %`.padStart(7)
  return largest.map(([name, us]) => `${percent(us)}  ${name}`).join('\n')
}

const placeOf = ({ url, lineNumber }: Frame) => (url ? `${shorten(url)}:${lineNumber + 1}` : '')

const shorten = (url: string) =>
  url
    .replace(/^file:\/\//, '')
    .replace(/^.*\/node_modules\//, '')
    .replace(/^.*?\/(?=(services|gateway|proto)\/)/, '')

/** The module of a frame: an npm package, one of our packages, a part of Node.js, or native code. */
function moduleOf({ url, functionName }: Frame): string {
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/')
  if (!url) return functionName.startsWith('(') ? functionName : '(native)'
  const path = shorten(url)
  const parts = path.split('/')
  if (url.includes('/node_modules/') || path.startsWith('services/')) {
    return parts.slice(0, path.startsWith('@') || path.startsWith('services/') ? 2 : 1).join('/')
  }
  return parts[0] ?? path
}

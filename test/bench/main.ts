import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type AiStreamsReport, measureAiStreams } from './ai-streams/ai-streams.js'
import { printAiStreams } from './ai-streams/print.js'
import { type EngineReport, measureEngine } from './engine/engine.js'
import { type Hop, measureHops } from './hops.js'
import { endWithUs } from './interrupt.js'
import { measureNotebooks, type NotebooksReport } from './notebooks/notebooks.js'
import { printNotebooks } from './notebooks/print.js'
import { readOptions, UsageError, usage } from './options.js'
import { measurePages, type PagesReport } from './pages/pages.js'
import { printPages, printPaints } from './pages/print.js'
import { printEngine, printHops, printScale, printTopology } from './report.js'
import { measureScale, type ScaleReport } from './scale/scale.js'
import { measureScaling, type ScalingReport } from './scaling/measure-scaling.js'
import { printScaling } from './scaling/print.js'
import { measureSearch, type SearchReport } from './search.js'
import { CorpusMissing } from './search-quality/corpus.js'
import { exportSizes } from './story-exports/fill.js'
import { printStoryExports } from './story-exports/print.js'
import { measureStoryExports, type StoryExportsReport } from './story-exports/story-exports.js'
import { measureTopology, type Progress, type TopologyReport } from './topology.js'

/** Runs the benchmarks that the arguments select; resolves to the exit code. */
export async function main(args: string[], progress: Progress): Promise<number> {
  if (process.platform !== 'linux') {
    console.error('The benchmark reads CPU time and memory from /proc, which only Linux has.')
    return 1
  }
  let scratch: string | undefined
  try {
    const options = readOptions(args)
    if (options === 'help') {
      console.log(usage)
      return 0
    }
    scratch = mkdtempSync(join(tmpdir(), 'figbase-bench-'))
    const cleanUp = () => rmSync(scratch ?? '', { recursive: true, force: true })
    using _cleaning = { [Symbol.dispose]: endWithUs(cleanUp) }
    const machine = describeMachine()
    console.log(`${machine.cores} cores (${machine.model}), Node.js ${machine.node}`)
    console.log(
      'product / floor; medians; CPU time is per request, and more stable than the other figures',
    )
    const topologies: TopologyReport[] = []
    let engine: EngineReport | undefined
    let scale: ScaleReport | undefined
    let hops: Hop[] | undefined
    let storyExports: StoryExportsReport | undefined
    let notebooks: NotebooksReport | undefined
    let pages: PagesReport | undefined
    let scaling: ScalingReport | undefined
    const aiStreams: AiStreamsReport[] = []
    const search: SearchReport = {}
    const save = () => {
      if (!options.json) return
      const once = {
        engine,
        scale,
        hops,
        search,
        storyExports,
        notebooks,
        pages,
        aiStreams,
        scaling,
      }
      const json = { machine, quick: options.quick, topologies, ...once }
      writeFileSync(resolve(options.json), `${JSON.stringify(json, undefined, 2)}\n`)
    }
    const measuresTopologies = options.operations.length > 0 || options.memory
    for (const topology of measuresTopologies ? options.topologies : []) {
      console.log(`\n# ${topology}${options.quick ? ', quick' : ''}`)
      const dir = join(scratch, topology)
      mkdirSync(dir)
      const report: TopologyReport = { topology, comparisons: [] }
      topologies.push(report)
      try {
        await measureTopology(report, options, dir, progress)
      } finally {
        printTopology(report)
        save()
      }
      rmSync(dir, { recursive: true })
    }
    if (options.scale) {
      console.log(`\n# scale${options.quick ? ', quick' : ''}`)
      scale = await measureScale(options.quick, scratch, progress)
      printScale(scale)
      save()
    }
    if (options.hops) {
      console.log(`\n# hops${options.quick ? ', quick' : ''}`)
      hops = await measureHops(options.quick, scratch, progress)
      printHops(hops)
      save()
    }
    if (options.engine.length > 0) {
      console.log(`\n# events and jobs${options.quick ? ', quick' : ''}`)
      engine = await measureEngine(options.engine, options.quick, scratch, progress)
      printEngine(engine)
      save()
    }
    if (options.storyExports) {
      console.log(`\n# exports of stories${options.quick ? ', quick' : ''}`)
      const size = options.quick ? exportSizes.quick : exportSizes.full
      storyExports = await measureStoryExports(size, scratch, progress)
      printStoryExports(storyExports)
      save()
    }
    if (options.notebooks) {
      console.log(`\n# the proxy before notebooks${options.quick ? ', quick' : ''}`)
      notebooks = await measureNotebooks(options.quick, progress)
      printNotebooks(notebooks)
      save()
    }
    if (options.pages) {
      console.log(`\n# pages${options.quick ? ', quick' : ''}`)
      pages = await measurePages(options.quick, scratch, progress)
      printPages(pages.costs)
      printPaints(pages.paints)
      save()
    }
    if (options.scaling) {
      console.log(`\n# scaling${options.quick ? ', quick' : ''}`)
      scaling = await measureScaling(options.quick, scratch, progress)
      printScaling({ machine, scaling })
      save()
    }
    for (const topology of options.aiStreams ? options.topologies : []) {
      console.log(`\n# streams of a language model${options.quick ? ', quick' : ''}`)
      const report = await measureAiStreams(topology, options.quick, scratch, progress)
      aiStreams.push(report)
      printAiStreams(report)
      save()
    }
    if (options.searchSpeed || options.searchQuality) {
      console.log(`\n# search${options.quick ? ', quick' : ''}`)
      try {
        await measureSearch(search, options, scratch, progress)
      } finally {
        save()
      }
    }
    return 0
  } catch (error) {
    const isPlain = error instanceof UsageError || error instanceof CorpusMissing
    console.error(isPlain ? error.message : error)
    return 1
  } finally {
    if (scratch) rmSync(scratch, { recursive: true, force: true })
  }
}

function describeMachine() {
  const all = cpus()
  return {
    cores: all.length,
    model: all[0]?.model ?? 'unknown',
    node: process.versions.node,
    date: new Date().toISOString(),
    commit: commit(),
    logLevel: process.env.LOG_LEVEL ?? 'info',
  }
}

function commit(): string {
  const cwd = import.meta.dirname
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd, encoding: 'utf8' })
  return (stdout ?? '').trim()
}

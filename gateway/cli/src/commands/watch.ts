import { watch } from 'chokidar'
import { type CommonOptions, connect } from '../connection.js'
import { exitCode } from '../exit-codes.js'
import { fail, usageError } from '../failure.js'
import { stemOf, toGroups } from '../groups.js'
import { note } from '../output.js'
import { placeOf } from '../place.js'
import { createLines } from '../progress.js'
import { publishGroups } from '../publish-groups.js'
import { filesIn, folderIn } from '../publish-plan.js'

/** A file is complete when it has not grown for so long. */
const settledMs = 500
/** A script that writes a picture and its data writes them shortly one after the other. */
const togetherMs = 300

/** Publishes figures when their files are saved, until Ctrl-C. */
export async function watchFolder(path: string, options: CommonOptions & { to: string }) {
  const { json = false } = options
  process.prependOnceListener('SIGINT', () => process.exit(exitCode.success))
  const connection = await connect(options)
  const folder = await folderIn([path])
  if (folder === undefined) throw usageError(`${path} is not a folder`)
  const place = await placeOf(connection, options.to)
  if (place.level !== 'analysis') throw usageError('--to must be workspace/analysis')
  const to = { analysis: place.names ?? place.api_id }
  const progress = createLines(json)

  const publishSaved = async (names: Set<string>) => {
    try {
      const files = (await filesIn(folder)).filter((file) => names.has(stemOf(file)))
      await publishGroups(connection, to, toGroups(files), {}, progress)
    } catch (error) {
      // The next save may succeed.
      fail(error, json)
    }
  }
  const saved = collected(togetherMs, publishSaved)
  const watcher = watch(folder, {
    depth: 0,
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: settledMs },
  })
  const onSaved = (file: string) => stemOf(file) !== '' && saved(stemOf(file))
  watcher.on('add', onSaved).on('change', onSaved)
  watcher.on('error', (error) => fail(error, json))
  watcher.on('ready', () => !json && note(`Watching ${folder}. Ctrl-C ends it`))
}

/** Calls `work` with the names of some time, one call after the other. */
function collected(ms: number, work: (names: Set<string>) => Promise<void>) {
  let names = new Set<string>()
  let last = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  return (name: string) => {
    names.add(name)
    clearTimeout(timer)
    timer = setTimeout(() => {
      const some = names
      names = new Set()
      last = last.then(() => work(some))
    }, ms)
  }
}

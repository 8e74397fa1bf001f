import { type CommonOptions, connect } from '../connection.js'
import { exitCode } from '../exit-codes.js'
import { CommandError, describe, fail } from '../failure.js'
import { linkedAssets } from '../linked-assets.js'
import { parseMetadata } from '../metadata.js'
import { note, show } from '../output.js'
import { placeOf } from '../place.js'
import { createProgress } from '../progress.js'
import { type Outcome, type PublishOptions, publishGroups } from '../publish-groups.js'
import { type PlanOptions, planOf } from '../publish-plan.js'

type Options = CommonOptions &
  PlanOptions & {
    to: string
    asset?: string[]
    meta?: string[]
    message?: string
    force?: boolean
  }

export async function publishFiles(paths: string[], options: Options): Promise<void> {
  const { json = false, image, code, data, recursive } = options
  const begun = performance.now()
  const connection = await connect(options)
  const place = await placeOf(connection, options.to)
  const batches = await planOf(paths, place, { image, code, data, recursive })
  const settings: PublishOptions = {
    force: options.force,
    metadata: options.meta && parseMetadata(options.meta),
    description: options.message,
    assets: options.asset && (await linkedAssets(connection, place, options.asset)),
  }
  const progress = createProgress(json)
  process.prependOnceListener('SIGINT', () => {
    progress.end()
    process.exit(fail(interrupted(), json))
  })
  const outcomes: Outcome[] = []
  try {
    for (const { to, groups } of batches) {
      outcomes.push(...(await publishGroups(connection, to, groups, settings, progress)))
    }
  } finally {
    progress.end()
  }
  show(json, outcomes, () => note(sumOf(outcomes, performance.now() - begun)))
  if (progress.error !== undefined) process.exitCode = describe(progress.error).code
}

const interrupted = () =>
  new CommandError(
    exitCode.interrupted,
    'interrupted',
    'Interrupted. The same command goes on where it was',
  )

function sumOf(outcomes: Outcome[], ms: number): string {
  const published = outcomes.filter((one) => one.is_new).length
  const unchanged = outcomes.length - published
  return `${published} published, ${unchanged} unchanged in ${(ms / 1000).toFixed(1)} s`
}

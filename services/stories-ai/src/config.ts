import type { EnvReader } from '@figbase/kit/config'
import type { ChromiumSettings } from './exports/pdf/chromium.js'
import { readAiConfig } from './model/config.js'

/** Catalog resolves at most this many revisions with one call. */
const revisionsBound = 1000
/** A ZIP without ZIP64 records ends before 4 GiB. */
const exportBytesBound = 3 * 2 ** 30
/** The job of an export ends later. */
const exportMinutesBound = 55

/** The program that makes PDFs. */
export const readChromiumSettings = (env: EnvReader): ChromiumSettings => ({
  path: env.text(
    'CHROMIUM_PATH',
    '',
    'the Chromium that makes PDFs of stories; empty: the one on PATH; `none`: no PDFs',
  ),
  user: env.text(
    'CHROMIUM_USER',
    'nobody',
    'the account that runs Chromium if Figbase runs as root',
  ),
  sandboxRequired: env.bool(
    'CHROMIUM_SANDBOX_REQUIRED',
    true,
    'if Figbase does not run as root, no PDF is made where the sandbox of Chromium does not work',
  ),
})

export function readConfig(env: EnvReader) {
  const revisionsMax = env.positiveInt(
    'STORY_REVISIONS_MAX',
    500,
    `maximum number of revisions of a story; at most ${revisionsBound}`,
  )
  if (revisionsMax > revisionsBound) {
    env.problems.push(`STORY_REVISIONS_MAX: must be at most ${revisionsBound}`)
  }
  const exportTimeoutMs = env.duration(
    'STORY_EXPORT_TIMEOUT',
    '10m',
    `timeout for the export of a story; at most ${exportMinutesBound}m`,
  )
  if (exportTimeoutMs > exportMinutesBound * 60_000) {
    env.problems.push(`STORY_EXPORT_TIMEOUT: must be at most ${exportMinutesBound}m`)
  }
  const exportBytesMax = env.bytes(
    'STORY_EXPORT_BYTES_MAX',
    '512MiB',
    `maximum size of an export of a story; at most ${exportBytesBound / 2 ** 30}GiB`,
  )
  if (exportBytesMax > exportBytesBound) {
    env.problems.push(`STORY_EXPORT_BYTES_MAX: must be at most ${exportBytesBound / 2 ** 30}GiB`)
  }
  return {
    ai: readAiConfig(env),
    revisionsMax,
    slidesMax: env.positiveInt('STORY_SLIDES_MAX', 500, 'maximum number of slides of a story'),
    slideBytesMax: env.bytes(
      'STORY_SLIDE_BYTES_MAX',
      '256KiB',
      'maximum size of the text and the data of a slide',
    ),
    storyBytesMax: env.bytes(
      'STORY_BYTES_MAX',
      '2MiB',
      'maximum total size of the slides of a story',
    ),
    versionsMax: env.positiveInt(
      'STORY_VERSIONS_MAX',
      1000,
      'saved versions of a story; the oldest are removed',
    ),
    exportBytesMax,
    exportMemoryBytesMax: env.bytes(
      'STORY_EXPORT_MEMORY_BYTES_MAX',
      '512MiB',
      'maximum memory of the child process that makes a PPTX; if it takes more, it is killed',
    ),
    pdfMemoryBytesMax: env.bytes(
      'STORY_EXPORT_PDF_MEMORY_BYTES_MAX',
      '1GiB',
      'maximum memory of the Chromium that makes a PDF; if its processes take more, they are killed',
    ),
    pdfPagesMax: env.positiveInt(
      'STORY_EXPORT_PDF_PAGES_MAX',
      2000,
      'maximum number of pages of a PDF',
    ),
    pdfConcurrency: env.positiveInt(
      'STORY_EXPORT_PDF_CONCURRENCY',
      1,
      'how many PDFs are made concurrently, each with a Chromium of its own',
    ),
    chromium: readChromiumSettings(env),
    exportTimeoutMs,
    exportsPerUserMax: env.positiveInt(
      'STORY_EXPORTS_PER_USER_MAX',
      50,
      'exports of a user that are kept at the same time',
    ),
    exportRetentionMs: env.duration(
      'STORY_EXPORT_RETENTION',
      '1d',
      'how long an export of a story can be downloaded',
    ),
    publicUrl: env.url('PUBLIC_URL', '', 'the public URL of Figbase, behind a proxy'),
    pendingSettleAfterMs: env.duration(
      'PENDING_SETTLE_AFTER',
      '10m',
      'age after which an interrupted creation or update is settled',
    ),
    port: env.port('PORT', 8000, 'the port to listen on; 0: the system chooses one'),
  }
}

export type Config = ReturnType<typeof readConfig>

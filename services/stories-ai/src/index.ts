import { deleteAbandonedDirectories } from '@figbase/kit/files'
import { defineService, type Service } from '@figbase/kit/service'
import { readConfig } from './config.js'
import { createContext } from './context.js'
import { migrations } from './db/migrations/index.js'
import { byConstraint } from './errors.js'
import { storyChanged } from './events.js'
import { temporaryPurpose } from './exports/temporary-purpose.js'
import { deleteExpired } from './jobs/delete-expired.js'
import { exportStoryJob } from './jobs/export-story.js'
import { purgeDeleted } from './jobs/purge-deleted.js'
import { replyToCommentJob } from './jobs/reply-to-comment.js'
import { settleStoryJob } from './jobs/settle-story.js'
import { generateStoryJob, refineStoryJob } from './jobs/write-story.js'
import { deleteOldAnswersPeriodically } from './periodic/delete-old-answers.js'
import { endAiTasks } from './periodic/end-ai-tasks.js'
import { settleExpiredRequests } from './periodic/settle-expired-requests.js'
import { routes } from './routes.js'

export { readChromiumSettings } from './config.js'
export { findChromium } from './exports/pdf/chromium.js'

export const storiesAi: Service = defineService({
  name: 'stories-ai',
  storesObjects: true,
  config: readConfig,
  migrations,
  recordsResults: true,
  context: createContext,
  routes,
  byConstraint,
  publishes: [storyChanged],
  jobs: [
    settleStoryJob,
    purgeDeleted,
    exportStoryJob,
    deleteExpired,
    generateStoryJob,
    refineStoryJob,
    replyToCommentJob,
  ],
  waitingJobsMax: 24,
  periodic: [settleExpiredRequests, endAiTasks, deleteOldAnswersPeriodically],
  start: async ({ pptxPool, pdfMaker, checkPool }) => {
    await deleteAbandonedDirectories(temporaryPurpose)
    const pools = [pptxPool, checkPool, ...(pdfMaker ? [pdfMaker.pool] : [])]
    return {
      async [Symbol.asyncDispose]() {
        await Promise.all(pools.map((pool) => pool[Symbol.asyncDispose]()))
      },
    }
  },
})

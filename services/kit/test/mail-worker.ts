import { createFailPoint } from '../src/faults/fail-points.js'
import { startJobs } from '../src/jobs/run-jobs.js'
import { createLogger } from '../src/log.js'
import { sendMailJob } from '../src/mail/index.js'
import { mailerTo } from './mail-server.js'
import { openQueue } from './queue.js'

/** A process that sends the mail queued at `DATABASE_URL` to `SMTP_URL` until it is killed. */
const { DATABASE_URL: databaseUrl = '', SMTP_URL: smtpUrl = '', FAIL_AT: failAt = '' } = process.env
process.on('disconnect', () => process.exit())

const failPoint = createFailPoint('mail', failAt)
await startJobs({
  db: openQueue(databaseUrl).db,
  ctx: { mailer: mailerTo(smtpUrl) },
  jobs: [sendMailJob],
  concurrency: 2,
  leaseMs: 1000,
  deadRetentionMs: 60_000,
  log: createLogger('test', 'silent'),
  ...(failPoint && { failPoint }),
})

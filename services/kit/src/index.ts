export { checkedAll } from './checked-all.js'
export { clientAddressOf } from './client-address.js'
export { type ComposeOptions, type Composition, compose } from './compose.js'
export {
  ConfigError,
  EnvReader,
  readSettings,
  type Setting,
  withoutCredentials,
} from './config.js'
export { connectionOf } from './db/connection.js'
export { type MigrateOptions, type Migration, migrate } from './db/migrate.js'
export { type DatabaseOf, migrateAll, missingMigrations, schemasOf } from './db/migrate-all.js'
export { type OpenData, openData, SchemaBehind } from './db/open-data.js'
export {
  type Cursor,
  decodeCursor,
  encodeCursor,
  pageSize,
  pageSizeMax,
  toPage,
} from './db/page.js'
export { ConcurrentChange, constraintOf, isRefused } from './db/pg-errors.js'
export {
  type Database,
  type DatabaseUrls,
  reachDatabase,
  readDatabaseDirectUrl,
  readDatabaseUrl,
} from './db/reach.js'
export { migrationListsOf } from './db/service-migrations.js'
export { type Lock, openSession, type Session } from './db/session.js'
export { type Executor, type Statement, statement } from './db/statement.js'
export { toIso, toTimestamp, toTimestampOrNone } from './db/time.js'
export * from './errors.js'
export { Bell } from './events/bell.js'
export { openBus } from './events/bus/open.js'
export { busMigrations, busSchema } from './events/bus/postgres-schema.js'
export { type DeadLetter, type DeadLetters, openDeadLetters } from './events/dead-letters.js'
export { type Consumer, defineConsumer, defineEvent, type EventKind, on } from './events/event.js'
export { eventOf } from './events/event-of.js'
export type { Publish } from './events/publish.js'
export { isoTime, publishing } from './events/publishing.js'
export { createFailPoint, storeWithFailPoints } from './fail-points.js'
export { Html, html } from './html.js'
export { isUuid, newId, newOrderedId } from './ids.js'
export { inTime } from './in-time.js'
export { type DeadJob, deleteDeadJob, listDeadJobs, replayDeadJob } from './jobs/dead.js'
export {
  type AnyJob,
  defineJob,
  type Job,
  JobCanceled,
  JobFailedForGood,
  JobInterrupted,
  type JobName,
  JobTimedOut,
} from './jobs/define.js'
export { type CancelJob, type Enqueue, type EnqueueOptions, enqueueing } from './jobs/queue.js'
export { isContainer, membersOf, problemOfJson, withMembers } from './json-text.js'
export { type KeyRing, type Keys, keysFrom, readKeys } from './keys.js'
export { Lifecycle } from './lifecycle.js'
export { createLogger, type Logger } from './log.js'
export { isAddress } from './mail/check.js'
export { checkMailServer } from './mail/check-server.js'
export { InvalidMail, type Mailbox, type MailContent, type Mailer } from './mail/mailer.js'
export { type Mail, type SendMail, sendMailJob } from './mail/send-mail.js'
export { type AccountChange, accountChangedMail } from './mail/templates/account-changed.js'
export { type AddressChange, addressChangedMail } from './mail/templates/address-changed.js'
export { type AddressInUse, addressInUseMail } from './mail/templates/address-in-use.js'
export { type Invitation, invitationMail } from './mail/templates/invitation.js'
export { type Mention, mentionMail } from './mail/templates/mention.js'
export { type PasswordChange, passwordChangedMail } from './mail/templates/password-changed.js'
export { type PasswordReset, passwordResetMail } from './mail/templates/password-reset.js'
export { type EmailVerification, verifyEmailMail } from './mail/templates/verify-email.js'
export { makeDirectory } from './make-directory.js'
export type { Metrics, RequestServed } from './metrics/metrics.js'
export { type Operations, openOperations } from './operations/open.js'
export { type Check, createReadiness, type Readiness } from './operations/readiness.js'
export { readinessAnswer } from './operations/readiness-answer.js'
export {
  readOperationsSettings,
  readShutdownTimeout,
  readStopSettings,
} from './operations/settings.js'
export { stopBeingReady } from './operations/stop-being-ready.js'
export { within } from './operations/within.js'
export { AddressRefused, createOutboundAgent, readOutboundHosts } from './outbound.js'
export { type Limits, openLimits } from './ports/limits/open.js'
export type { Allowance, Limiter, LimitOptions } from './ports/limits/port.js'
export type { QuickLimiter } from './ports/limits/quick.js'
export {
  createRequestLimiter,
  type RequestLimiter,
  tooManyRequests,
} from './ports/limits/requests.js'
export { readLimitSettings } from './ports/limits/settings.js'
export { checkStore, requireStore } from './ports/objects/check.js'
export {
  type Deletions,
  holdDeletions,
  mayDelete,
  openDeletions,
} from './ports/objects/deletions.js'
export { createFileSystemStore } from './ports/objects/file-system.js'
export {
  ObjectMissing,
  type ObjectRange,
  type ObjectStore,
  type StorageProblem,
  StorageUnavailable,
  type StoredObject,
} from './ports/objects/port.js'
export {
  createS3Store,
  type S3Limits,
  type S3Options,
  s3ObjectBytesMax,
} from './ports/objects/s3.js'
export { openObjectStore, readS3Limits, readS3Settings } from './ports/objects/settings.js'
export { ChildEnded, ChildTimedOut } from './processes/child.js'
export { createDesks, type Desks, type DesksOptions } from './processes/desks.js'
export { type ReadApiKey, readApiKeyWith } from './rpc/api-key.js'
export { askNeighbour, type NeighbourState } from './rpc/ask-neighbour.js'
export { type CredentialReaders, readAuthorization } from './rpc/authorization.js'
export {
  actAs,
  actAsSystem,
  callerAddress,
  forward,
  forwardDetached,
  onlyWorkspace,
  principal,
  requestId,
  requireSignIn,
  requireStaff,
  requireSystem,
  requireUnbound,
  requireUser,
} from './rpc/call.js'
export { readCallSettings } from './rpc/call-settings.js'
export { type ReadForeignToken, readForeignTokenWith } from './rpc/foreign-token.js'
export { clientInterceptor } from './rpc/interceptors.js'
export { requireKeyAccess } from './rpc/key-access.js'
export { lazyClient } from './rpc/lazy-client.js'
export { connectNeighbours } from './rpc/neighbours.js'
export { anonymous, system, user } from './rpc/principal.js'
export { createSiteReader, type ReadSite, type Site, toSite } from './rpc/site.js'
export { type RunningProcess, runProcess } from './run-process.js'
export { seal, unseal } from './sealed.js'
export { type Resealed, type SealedColumn, sealedColumn } from './sealed-column.js'
export { serve, startServing } from './serve.js'
export {
  defineService,
  type Kit,
  type Periodic,
  type Service,
  type ServiceDefinition,
} from './service.js'
export {
  type NeighbourName,
  readDefaultVendor,
  readLogLevel,
  readNeighbourSettings,
  readProcessSettings,
  readRpcSettings,
  readRuntimeSettings,
  readServerCheckTimeout,
} from './settings.js'
export { internalKeyPurpose } from './start-service.js'
export {
  defineTaskJob,
  type TaskHandle,
  type TaskJob,
  type TaskName,
  type TaskPayload,
} from './tasks/define.js'
export { TaskFailed, TaskRevoked } from './tasks/errors.js'
export type { StartTask, StartTaskOptions } from './tasks/start-task.js'
export { checkedText, problemOfText } from './text.js'
export { openTracing } from './tracing/open.js'
export { inScope, type Scope } from './tracing/scope.js'
export { readTracingSettings } from './tracing/settings.js'
export type { Span, Tracing } from './tracing/span.js'
export {
  type IssuedToken,
  signAccessToken,
  signRefreshToken,
  signSessionToken,
  type TokenSubject,
  tokenNotValid,
  userTokenPurpose,
  verifyAccessToken,
  verifyRefreshToken,
  verifySessionToken,
} from './user-tokens.js'

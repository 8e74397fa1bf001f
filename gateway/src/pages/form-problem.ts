import { type Html, html } from '@figbase/kit/text'
import { answerTo } from '../http/errors.js'
import type { MessageKey, Texts } from '../texts/texts.js'
import type { FormResult } from './form.js'
import type { Page } from './page.js'

/** An error that the user can fix; undefined on success. */
export type Problem = { status: number; error: string; detail: string } | undefined

const userErrors = [400, 409, 412, 429]
/** What a rule refuses, whoever asks, and what may work later. */
const refusals = [
  'ai_disabled',
  'ai_failed',
  'ai_overloaded',
  'ai_timeout',
  'ai_too_long',
  'allow_flexible_storage',
  'allowance_exhausted',
  'compute_enabled',
  'compute_max_running_instances',
  'compute_unavailable',
  'git_unavailable',
  'link_sharing_not_allowed',
  'max_storage_bytes',
  'max_users',
  'pdf_unavailable',
  'search_unavailable',
  'sign_up_disabled',
]

export type Tried<T> = { value: T; problem: undefined } | { problem: NonNullable<Problem> }

/** Awaits the RPC of a form. Returns errors that the user can fix, and throws all others. */
export async function tried<T>(work: Promise<T>): Promise<Tried<T>> {
  try {
    return { value: await work, problem: undefined }
  } catch (error) {
    const { status = 500, body } = answerTo(error) ?? {}
    const { error: name = '', detail = '' } = body ?? {}
    if (!userErrors.includes(status) && !refusals.includes(name)) throw error
    return { problem: { status, error: name, detail } }
  }
}

/** The same without its value. */
export const problemOf = async (work: Promise<unknown>): Promise<Problem> =>
  (await tried(work)).problem

/** Awaits the RPC of a form: leads to another page, or shows the form again with the error. */
export async function resultOf(
  work: Promise<unknown>,
  to: string,
  again: (problem: Problem) => Page | Promise<Page>,
): Promise<FormResult> {
  const problem = await problemOf(work)
  return problem ? { status: problem.status, page: await again(problem) } : { to }
}

/** The messages for errors of the services, by their names. */
const messagesOfErrors: Record<string, MessageKey> = {
  ai_disabled: 'problem.aiDisabled',
  ai_failed: 'problem.aiFailed',
  ai_overloaded: 'problem.aiFailed',
  ai_quota_exceeded: 'problem.aiQuota',
  ai_timeout: 'problem.aiTimeout',
  ai_too_long: 'problem.aiTimeout',
  allow_flexible_storage: 'problem.storage.notAllowed',
  allowance_exhausted: 'problem.computeExhausted',
  already_member: 'problem.alreadyMember',
  compute_enabled: 'problem.computeEnabled',
  compute_max_running_instances: 'problem.computeRunning',
  compute_unavailable: 'problem.computeUnavailable',
  fully_credited: 'problem.fullyCredited',
  payments_not_collected: 'problem.payments',
  duplicate_plan: 'problem.duplicatePlan',
  duplicate_promotion: 'problem.duplicatePromotion',
  email_taken: 'problem.emailTaken',
  git_unavailable: 'problem.gitUnavailable',
  instance_stopping: 'problem.computeStopping',
  last_administrator: 'problem.lastAdministrator',
  link_sharing_not_allowed: 'problem.linkSharing',
  managed_by_organization: 'problem.managedByOrganization',
  max_storage_bytes: 'problem.maxStorage',
  max_users: 'problem.maxUsers',
  pdf_unavailable: 'problem.pdfUnavailable',
  plan_in_use: 'problem.planInUse',
  search_unavailable: 'problem.searchUnavailable',
  sign_up_disabled: 'signIn.noAccount',
  tier_unavailable: 'problem.computeTier',
  too_many_exports: 'problem.tooManyExports',
  too_many_instances: 'problem.computeTooMany',
  too_many_repositories: 'problem.tooManyRepositories',
  too_many_webhooks: 'problem.tooManyWebhooks',
  username_taken: 'problem.usernameTaken',
  version_mismatch: 'problem.versionMismatch',
  webhook_inactive: 'problem.webhookInactive',
}

/** The messages for other errors, by how those begin; the first one counts. Other errors are in English. */
const messages: [string, MessageKey][] = [
  ['avatar: ', 'problem.avatar'],
  ['expiry: ', 'problem.expiry'],
  ['first_name: ', 'problem.personName'],
  ['last_name: ', 'problem.personName'],
  ['name: you already have an', 'problem.nameTaken'],
  ['passphrase: ', 'problem.passphrase'],
  ['password: is wrong', 'problem.passwordWrong'],
  ['content: ', 'problem.comment'],
  ['reason: ', 'problem.stillRight'],
  ['emoji: ', 'problem.emoji'],
  ['file: ', 'problem.tooManyFigures'],
  ['files: ', 'problem.files'],
  ['params.endpoint: ', 'problem.storage.endpoint'],
  ['params.region: ', 'problem.storage.region'],
  ['params.bucket: ', 'problem.storage.bucket'],
  ['params.prefix: ', 'problem.storage.prefix'],
  ['params.access_key: ', 'problem.storage.accessKey'],
  ['params.secret_key: ', 'problem.storage.secretKey'],
  ['vendor: ', 'problem.storage.vendor'],
  ['plan: ', 'problem.plan'],
  ['amount: ', 'problem.creditAmount'],
  ['memo: ', 'problem.memo'],
  ['country: ', 'problem.country'],
  ['address: ', 'problem.billingAddress'],
  ['tax_id: ', 'problem.taxId'],
  ['interval: ', 'problem.interval'],
  ['promotion_code: must', 'problem.promotionCodeForm'],
  ['promotion_code: is unknown', 'problem.promotionCode'],
  ['image: ', 'problem.image'],
  ['private_key: ', 'problem.privateKey'],
  ['revisions_visible_to_readers: ', 'problem.nothingToOpen'],
  ['prompt: ', 'problem.prompt'],
  ['revision_id: ', 'problem.revision'],
  ['slides[', 'problem.slide'],
  ['username: does not exist', 'problem.noUser'],
  ['username: is the owner', 'problem.owner'],
  ['username: is the last org_admin', 'problem.lastOrgAdmin'],
  ['username: must be 1', 'problem.username'],
  ['username: is re', 'problem.username'],
  ['email: ', 'problem.email'],
  ['url: must not contain a user or', 'problem.webhookUrl'],
  ['url: must not', 'problem.gitUrl'],
  ['url: must have', 'problem.gitUrl'],
  ['url: must be https:', 'problem.gitUrl'],
  ['branch: ', 'problem.gitBranch'],
  ['ssh_key: ', 'problem.gitSshKey'],
  ['token: is for https', 'problem.gitToken'],
  ['token: is required with', 'problem.gitToken'],
  ['token: must have', 'problem.gitToken'],
  ['include', 'problem.gitPatterns'],
  ['exclude', 'problem.gitPatterns'],
  ['schedule: ', 'problem.gitSchedule'],
  ['url: ', 'problem.webhookUrl'],
  ['events: ', 'problem.webhookEvents'],
  ['token: ', 'problem.token'],
  ['code: ', 'problem.code'],
  ['name: ', 'problem.name'],
  ['data_volume_gb: ', 'problem.computeVolume'],
  ['idle_shutdown_seconds: ', 'problem.computeIdle'],
  ['description: ', 'problem.description'],
  ['password: is too common', 'problem.passwordCommon'],
  ['password: ', 'problem.password'],
]

/** The error message above a form. */
export const problemNote = (t: Texts['t'], problem: Problem): Html =>
  problem ? html`<p class="problem" role="alert">${problemText(t, problem)}</p>` : html``

/** The message of an error, in the language of the page. */
export function problemText(t: Texts['t'], { status, error, detail }: NonNullable<Problem>): Html {
  const known = messages.find(([beginning]) => detail.startsWith(beginning))
  const tooMany = status === 429 ? 'problem.tooMany' : undefined
  const message = messagesOfErrors[error] ?? tooMany ?? known?.[1]
  return message ? t(message) : html`<span lang="en">${detail}</span>`
}

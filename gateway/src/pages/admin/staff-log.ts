import { type Html, html } from '@figbase/kit/text'
import { type StaffAction, StaffActionKind } from '@figbase/proto/identity/staff'
import { z } from 'zod'
import type { Input } from '../../endpoint.js'
import { type MessageKey, type Texts, textsOf } from '../../texts/texts.js'
import { entryList } from '../lists.js'
import { nextLink } from '../next-link.js'
import { type Page, userPage } from '../page.js'
import { nameHtml } from '../text.js'
import { adminPage, staffLogPath } from './layout.js'

const query = z.object({ cursor: z.string().max(1000).optional() })

/** What staff did. */
export const staffLogPage = userPage(staffLogPath, show, { query })

const names: Record<StaffActionKind, MessageKey> = {
  [StaffActionKind.UNSPECIFIED]: 'staffLog.other',
  [StaffActionKind.ACTIVATE_ACCOUNT]: 'staffLog.activateAccount',
  [StaffActionKind.DEACTIVATE_ACCOUNT]: 'staffLog.deactivateAccount',
  [StaffActionKind.MAKE_STAFF]: 'staffLog.makeStaff',
  [StaffActionKind.REMOVE_STAFF]: 'staffLog.removeStaff',
  [StaffActionKind.DELETE_ACCOUNT]: 'staffLog.deleteAccount',
  [StaffActionKind.END_SESSIONS]: 'staffLog.endSessions',
  [StaffActionKind.CHANGE_SETTINGS]: 'staffLog.changeSettings',
  [StaffActionKind.CREATE_PLAN]: 'staffLog.createPlan',
  [StaffActionKind.CHANGE_PLAN]: 'staffLog.changePlan',
  [StaffActionKind.DELETE_PLAN]: 'staffLog.deletePlan',
  [StaffActionKind.CREATE_PROMOTION]: 'staffLog.createPromotion',
  [StaffActionKind.DELETE_PROMOTION]: 'staffLog.deletePromotion',
  [StaffActionKind.RETRY_DEAD]: 'staffLog.retryDead',
  [StaffActionKind.DROP_DEAD]: 'staffLog.dropDead',
  [StaffActionKind.CREATE_CREDIT_NOTE]: 'staffLog.createCreditNote',
  [StaffActionKind.MARK_INVOICE_PAID]: 'staffLog.markInvoicePaid',
}

async function show(input: Input): Promise<Page> {
  const { services, call, cfg } = input
  const texts = textsOf(input)
  const { t } = texts
  const { cursor: pageToken = '' } = input.query as z.infer<typeof query>
  const request = { pageSize: cfg.pageItemsMax, pageToken }
  const { actions, nextPageToken } = await services.staff.listStaffActions(request, call)
  const entries = actions.map((action) => entry(texts, action))
  return adminPage(input, {
    path: staffLogPath,
    title: t('staffLog.title'),
    content: html`<p>${t('staffLog.what')}</p>${entryList(entries, t('list.empty'))}${nextLink(input, nextPageToken)}`,
  })
}

/** A newer service may know more kinds. */
const nameOf = (kind: StaffActionKind): MessageKey => names[kind] ?? 'staffLog.other'

const entry = ({ t, dateTime }: Texts, { kind, target, createdBy, createdOn }: StaffAction): Html =>
  html`<li><div>${t(nameOf(kind))}: <strong>${nameHtml(target)}</strong>
<span class="quiet">${nameHtml(createdBy)} · ${dateTime(createdOn)}</span></div></li>`

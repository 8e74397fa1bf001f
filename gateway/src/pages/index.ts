import type { Route } from '../endpoint.js'
import { accountPages } from './account/account.js'
import { activityPages } from './activity/activity.js'
import { accountPages as adminAccountPages } from './admin/accounts.js'
import { invoicePages } from './admin/invoices.js'
import { planPages } from './admin/plans.js'
import { promotionPages } from './admin/promotions.js'
import { servicePages } from './admin/services.js'
import { settingsPages } from './admin/settings.js'
import { staffLogPage } from './admin/staff-log.js'
import { storedPage } from './admin/stored.js'
import { asset } from './asset.js'
import { billingPages } from './billing/of-holder.js'
import { allPages } from './browse/all.js'
import { analysis } from './browse/analysis.js'
import { organization, workspace } from './browse/workspace.js'
import { comparePages } from './compare/compare.js'
import { computePages } from './compute/compute.js'
import { devicePages } from './device/device.js'
import { download } from './download.js'
import { createPages } from './edit/create.js'
import { deletePages } from './edit/delete.js'
import { deletedPages } from './edit/deleted.js'
import { editPages } from './edit/edit.js'
import { movePages } from './edit/move.js'
import { figure } from './figure.js'
import { ofTargetPages } from './git/of-target.js'
import { repositoryPages } from './git/repository.js'
import { guidePages } from './guide/pages.js'
import { home } from './home/home.js'
import { insightPages } from './insight/ask.js'
import { invitationPages } from './invitation.js'
import { liveEvents } from './live.js'
import { memberPages } from './members/members.js'
import { passwordReset } from './password-reset.js'
import { pictureRoutes } from './picture.js'
import { publishPages } from './publish/publish.js'
import { publishManyPages } from './publish/publish-many.js'
import { referencePages } from './reference/reference.js'
import { revisionPages } from './revision.js'
import { scripts } from './script.js'
import { searchPages } from './search/search.js'
import { sessionToken } from './session-token.js'
import { sharePages } from './share/share.js'
import { signInPages } from './sign-in/sign-in.js'
import { signUpPages } from './sign-up/sign-up.js'
import { staleList } from './stale/list.js'
import { stillRight } from './stale/still-right.js'
import { storagePages } from './storage/storage.js'
import { storyPages } from './story/story.js'
import { talkPages } from './talk/talk.js'
import { unsubscribePages } from './unsubscribe.js'
import { usagePages } from './usage/usage.js'
import { verifyEmail } from './verify-email.js'
import { ofPlacePages } from './webhooks/of-place.js'
import { webhookPages } from './webhooks/webhook.js'

/** All HTML pages. */
export const pages: Route[] = [
  home,
  ...revisionPages,
  ...pictureRoutes,
  figure,
  stillRight,
  staleList,
  ...comparePages,
  analysis,
  asset,
  workspace,
  organization,
  ...allPages,
  ...createPages,
  ...editPages,
  ...movePages,
  ...deletePages,
  ...deletedPages,
  ...memberPages,
  ...sharePages,
  ...publishPages,
  ...publishManyPages,
  ...settingsPages,
  ...adminAccountPages,
  ...planPages,
  ...promotionPages,
  ...invoicePages,
  ...servicePages,
  storedPage,
  staffLogPage,
  ...usagePages,
  ...storagePages,
  ...ofPlacePages,
  ...webhookPages,
  ...billingPages,
  ...ofTargetPages,
  ...repositoryPages,
  ...activityPages,
  ...talkPages,
  ...searchPages,
  ...storyPages,
  ...insightPages,
  ...computePages,
  ...invitationPages,
  download,
  ...signInPages,
  ...signUpPages,
  ...accountPages,
  ...devicePages,
  ...passwordReset,
  ...verifyEmail,
  ...unsubscribePages,
  ...guidePages,
  ...referencePages,
  sessionToken,
  liveEvents,
  scripts,
]

/** The pages in the notation of OpenAPI: `GET /figure/{id}/`. */
export const pageRoutes: string[] = pages.map(
  ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
)

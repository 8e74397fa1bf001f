import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect'
import { once } from '@figbase/kit/keyed'
import { CatalogService } from '@figbase/proto/catalog'
import { BillingService } from '@figbase/proto/catalog/billing'
import { PeopleService } from '@figbase/proto/catalog/people'
import { PlansService } from '@figbase/proto/catalog/plans'
import type { Ctx } from './context.js'
import { abandon } from './rpc/abandon.js'
import { abandonUpdate } from './rpc/abandon-update.js'
import { acceptInvitation } from './rpc/accept-invitation.js'
import { activate } from './rpc/activate.js'
import { activateUpdate } from './rpc/activate-update.js'
import { addMember } from './rpc/add-member.js'
import { createCreditNote, markInvoicePaid } from './rpc/billing/change-invoices.js'
import { getBilling } from './rpc/billing/get-billing.js'
import { createCheckout, createPortal, receiveProviderEvent } from './rpc/billing/provider-pages.js'
import {
  getAnyInvoice,
  getInvoice,
  listAllInvoices,
  listInvoices,
} from './rpc/billing/read-invoices.js'
import { updateBilling } from './rpc/billing/update-billing.js'
import { changeMember } from './rpc/change-member.js'
import { checkAccess } from './rpc/check-access.js'
import { confirmFigure } from './rpc/confirm-figure.js'
import { countNodes } from './rpc/count-nodes.js'
import { createInvitation } from './rpc/create-invitation.js'
import { createNode } from './rpc/create-node.js'
import { deleteInvitation } from './rpc/delete-invitation.js'
import { deleteNode } from './rpc/delete-node.js'
import { endAutoAssign } from './rpc/end-auto-assign.js'
import { ensurePrimaryWorkspace } from './rpc/ensure-primary-workspace.js'
import { findAssetsByName } from './rpc/find-assets-by-name.js'
import { getActivity } from './rpc/get-activity.js'
import { getInvitation } from './rpc/get-invitation.js'
import { getInvitationByToken } from './rpc/get-invitation-by-token.js'
import { getLinkShare } from './rpc/get-link-share.js'
import { getNode } from './rpc/get-node.js'
import { getOverview } from './rpc/get-overview.js'
import { listActivity } from './rpc/list-activity.js'
import { listAllNodes } from './rpc/list-all-nodes.js'
import { listChildren } from './rpc/list-children.js'
import { listContributions } from './rpc/list-contributions.js'
import { listDeletedNodes } from './rpc/list-deleted-nodes.js'
import { listDeletions } from './rpc/list-deletions.js'
import { listDescendants } from './rpc/list-descendants.js'
import { listInvitations } from './rpc/list-invitations.js'
import { listMemberActivity } from './rpc/list-member-activity.js'
import { listMembers } from './rpc/list-members.js'
import { listNewestRevisions } from './rpc/list-newest-revisions.js'
import { listNodes } from './rpc/list-nodes.js'
import { listReadableRoots } from './rpc/list-readable-roots.js'
import { listRecent } from './rpc/list-recent.js'
import { listScopedAssets } from './rpc/list-scoped-assets.js'
import { listStaleFigures } from './rpc/list-stale-figures.js'
import { listUserShares } from './rpc/list-user-shares.js'
import { listViewers } from './rpc/list-viewers.js'
import { moveRevision } from './rpc/move-revision.js'
import { checkLeaving, leave } from './rpc/people/leave.js'
import { listOwnActivity, listOwnGrants, listOwnInvitations } from './rpc/people/list-own-data.js'
import { listOwnedBytes } from './rpc/people/list-owned-bytes.js'
import { createPlan, deletePlan, updatePlan } from './rpc/plans/change-plans.js'
import { listMonthlyUsage } from './rpc/plans/list-monthly-usage.js'
import { listPlans } from './rpc/plans/list-plans.js'
import { listStoredBytes } from './rpc/plans/list-stored-bytes.js'
import { createPromotion, deletePromotion, listPromotions } from './rpc/plans/promotions.js'
import { changeStorage, checkStorage, getStorage } from './rpc/plans/storage.js'
import {
  applyPromotion,
  changeSubscription,
  getPlanTerms,
  getSubscription,
  listPlanTerms,
} from './rpc/plans/subscriptions.js'
import { readPlaces } from './rpc/read-places.js'
import { removeMember } from './rpc/remove-member.js'
import { reserve } from './rpc/reserve.js'
import { reserveUpdate } from './rpc/reserve-update.js'
import { resolveNodes } from './rpc/resolve-nodes.js'
import { restoreNode } from './rpc/restore-node.js'
import { setLinkShare } from './rpc/set-link-share.js'
import { setSiteRules } from './rpc/set-site-rules.js'
import { setUserShare } from './rpc/set-user-share.js'
import { updateNode } from './rpc/update-node.js'

export type BillingImpl = ServiceImpl<typeof BillingService>
export type PeopleImpl = ServiceImpl<typeof PeopleService>
export type PlansImpl = ServiceImpl<typeof PlansService>

export const routes = (ctx: Ctx) => (router: ConnectRouter) => {
  router.service(CatalogService, {
    createNode: once(ctx, createNode(ctx)),
    getNode: getNode(ctx),
    listChildren: listChildren(ctx),
    countNodes: countNodes(ctx),
    listNodes: listNodes(ctx),
    listDescendants: listDescendants(ctx),
    listNewestRevisions: listNewestRevisions(ctx),
    listActivity: listActivity(ctx),
    listMemberActivity: listMemberActivity(ctx),
    getActivity: getActivity(ctx),
    getOverview: getOverview(ctx),
    listRecent: listRecent(ctx),
    listContributions: listContributions(ctx),
    listScopedAssets: listScopedAssets(ctx),
    findAssetsByName: findAssetsByName(ctx),
    listStaleFigures: listStaleFigures(ctx),
    confirmFigure: confirmFigure(ctx),
    updateNode: updateNode(ctx),
    deleteNode: deleteNode(ctx),
    restoreNode: restoreNode(ctx),
    listDeletions: listDeletions(ctx),
    checkAccess: checkAccess(ctx),
    listViewers: listViewers(ctx),
    listDeletedNodes: listDeletedNodes(ctx),
    resolveNodes: resolveNodes(ctx),
    listReadableRoots: listReadableRoots(ctx),
    readPlaces: readPlaces(ctx),
    listAllNodes: listAllNodes(ctx),
    reserve: reserve(ctx),
    activate: activate(ctx),
    abandon: abandon(ctx),
    reserveUpdate: reserveUpdate(ctx),
    activateUpdate: activateUpdate(ctx),
    abandonUpdate: abandonUpdate(ctx),
    moveRevision: moveRevision(ctx),
    endAutoAssign: endAutoAssign(ctx),
    listMembers: listMembers(ctx),
    addMember: once(ctx, addMember(ctx)),
    changeMember: changeMember(ctx),
    removeMember: removeMember(ctx),
    getLinkShare: getLinkShare(ctx),
    setLinkShare: setLinkShare(ctx),
    listUserShares: listUserShares(ctx),
    setUserShare: setUserShare(ctx),
    createInvitation: createInvitation(ctx),
    getInvitation: getInvitation(ctx),
    getInvitationByToken: getInvitationByToken(ctx),
    acceptInvitation: once(ctx, acceptInvitation(ctx)),
    deleteInvitation: deleteInvitation(ctx),
    listInvitations: listInvitations(ctx),
    ensurePrimaryWorkspace: ensurePrimaryWorkspace(ctx),
    setSiteRules: setSiteRules(ctx),
  } satisfies ServiceImpl<typeof CatalogService>)
  router.service(PlansService, {
    listPlans: listPlans(ctx),
    createPlan: once(ctx, createPlan(ctx)),
    updatePlan: updatePlan(ctx),
    deletePlan: deletePlan(ctx),
    getSubscription: getSubscription(ctx),
    listMonthlyUsage: listMonthlyUsage(ctx),
    getPlanTerms: getPlanTerms(ctx),
    listPlanTerms: listPlanTerms(ctx),
    changeSubscription: changeSubscription(ctx),
    applyPromotion: applyPromotion(ctx),
    createPromotion: once(ctx, createPromotion(ctx)),
    listPromotions: listPromotions(ctx),
    deletePromotion: deletePromotion(ctx),
    checkStorage: checkStorage(ctx),
    getStorage: getStorage(ctx),
    listStoredBytes: listStoredBytes(ctx),
    changeStorage: changeStorage(ctx),
  } satisfies PlansImpl)
  router.service(BillingService, {
    getBilling: getBilling(ctx),
    updateBilling: updateBilling(ctx),
    listInvoices: listInvoices(ctx),
    getInvoice: getInvoice(ctx),
    createCheckout: createCheckout(ctx),
    createPortal: createPortal(ctx),
    listAllInvoices: listAllInvoices(ctx),
    getAnyInvoice: getAnyInvoice(ctx),
    createCreditNote: once(ctx, createCreditNote(ctx)),
    markInvoicePaid: markInvoicePaid(ctx),
    receiveProviderEvent: receiveProviderEvent(ctx),
  } satisfies BillingImpl)
  router.service(PeopleService, {
    checkLeaving: checkLeaving(ctx),
    leave: leave(ctx),
    listOwnGrants: listOwnGrants(ctx),
    listOwnActivity: listOwnActivity(ctx),
    listOwnInvitations: listOwnInvitations(ctx),
    listOwnedBytes: listOwnedBytes(ctx),
  } satisfies PeopleImpl)
}

import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect'
import { once } from '@figbase/kit/keyed'
import { ComputeService } from '@figbase/proto/compute'
import type { Ctx } from './context.js'
import { changeTier } from './rpc/change-tier.js'
import { connectInstance } from './rpc/connect-instance.js'
import { stopInstance, terminateInstance } from './rpc/end-instance.js'
import { getAllowance } from './rpc/get-allowance.js'
import { getHeartbeat } from './rpc/get-heartbeat.js'
import { getInstance } from './rpc/get-instance.js'
import { getLaunchOptions } from './rpc/get-launch-options.js'
import { getUsage } from './rpc/get-usage.js'
import { launchInstance } from './rpc/launch-instance.js'
import { listHolderSeconds } from './rpc/list-holder-seconds.js'
import { listInstanceEvents } from './rpc/list-instance-events.js'
import { listInstances } from './rpc/list-instances.js'
import { listMonthlySeconds, listOwnMonthlySeconds } from './rpc/list-monthly-seconds.js'
import { listOwnInstances } from './rpc/list-own-instances.js'
import { listTiers } from './rpc/list-tiers.js'
import { startInstance } from './rpc/start-instance.js'
import { updateInstance } from './rpc/update-instance.js'

export type Impl = ServiceImpl<typeof ComputeService>

export const routes = (ctx: Ctx) => (router: ConnectRouter) =>
  router.service(ComputeService, {
    listTiers: listTiers(ctx),
    getLaunchOptions: getLaunchOptions(ctx),
    getAllowance: getAllowance(ctx),
    getUsage: getUsage(ctx),
    listMonthlySeconds: listMonthlySeconds(ctx),
    listOwnMonthlySeconds: listOwnMonthlySeconds(ctx),
    listHolderSeconds: listHolderSeconds(ctx),
    listInstances: listInstances(ctx),
    listOwnInstances: listOwnInstances(ctx),
    launchInstance: once(ctx, launchInstance(ctx)),
    getInstance: getInstance(ctx),
    updateInstance: updateInstance(ctx),
    startInstance: startInstance(ctx),
    stopInstance: stopInstance(ctx),
    terminateInstance: terminateInstance(ctx),
    changeTier: changeTier(ctx),
    connectInstance: connectInstance(ctx),
    getHeartbeat: getHeartbeat(ctx),
    listInstanceEvents: listInstanceEvents(ctx),
  } satisfies Impl)

import type { HandlerContext } from '@connectrpc/connect'
import { forward } from '@figbase/kit/rpc'
import type { StaffActionKind } from '@figbase/proto/identity/staff'
import type { Ctx } from '../../context.js'

/** Records what a staff user is about to do. */
export async function recordAction(
  { staff }: Ctx,
  call: HandlerContext,
  kind: StaffActionKind,
  target: string,
): Promise<void> {
  await staff.recordStaffAction({ kind, target }, forward(call))
}

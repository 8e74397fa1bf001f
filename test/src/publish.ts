import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from './client.js'
import type {
  Analysis,
  Asset,
  AssetRevision,
  DataToSend,
  Figure,
  Organization,
  Revision,
  Workspace,
} from './resources.js'

/** A workspace with an analysis and a figure. */
export interface Place {
  workspace: Workspace
  analysis: Analysis
  figure: Figure
}

export async function newPlace(owner: Client): Promise<Place> {
  const workspace = await newWorkspace(owner)
  const analysis = await newAnalysis(owner, workspace.api_id)
  const figure = await newFigure(owner, analysis.api_id)
  return { workspace, analysis, figure }
}

export async function newWorkspace(
  owner: Client,
  name = 'Field trip',
  organization: string | null = null,
): Promise<Workspace> {
  const description = 'What we measured'
  const workspace = { name, description, workspace_type: 'secondary', organization }
  return (await owner.post<Workspace>('workspace/', workspace)).body
}

export async function newOrganization(owner: Client, name = 'Institute'): Promise<Organization> {
  const organization = { name, description: 'Who pays for the ships' }
  return (await owner.post<Organization>('organization/', organization)).body
}

export async function newAnalysis(
  owner: Client,
  workspace: string,
  name = 'Plankton',
): Promise<Analysis> {
  const analysis = { name, description: 'Counts per litre', workspace }
  return (await owner.post<Analysis>('analysis/', analysis)).body
}

export async function newAsset(
  owner: Client,
  workspace: string,
  more: Record<string, unknown> = {},
): Promise<Asset> {
  const asset = { name: 'Samples', description: 'Raw counts', workspace, ...more }
  return (await owner.post<Asset>('asset/', asset)).body
}

export async function newFigure(
  owner: Client,
  analysis: string,
  name = 'Figure 1',
): Promise<Figure> {
  const figure = { name, description: 'Counts over depth', analysis }
  return (await owner.post<Figure>('figure/', figure)).body
}

export async function newRevision(
  owner: Client,
  figure: string,
  data: DataToSend[] = [],
  more: Record<string, unknown> = {},
): Promise<Revision> {
  const revision = { figure, metadata: {}, data, ...more }
  return (await owner.post<Revision>('revision/', revision)).body
}

export async function newAssetRevision(
  owner: Client,
  asset: string,
  data: DataToSend[] = [],
  more: Record<string, unknown> = {},
): Promise<AssetRevision> {
  const revision = { asset, metadata: {}, data, ...more }
  return (await owner.post<AssetRevision>('asset_revision/', revision)).body
}

/** Creates an asset revision and waits for its processing. */
export async function publishAsset(
  owner: Client,
  asset: string,
  data: DataToSend[],
  more: Record<string, unknown> = {},
): Promise<AssetRevision> {
  const { api_id } = await newAssetRevision(owner, asset, data, more)
  return processed<AssetRevision>(owner, api_id, 'asset_revision')
}

/** Waits until a revision has been processed, and reads it. */
export async function processed<R extends { is_processing: boolean } = Revision>(
  owner: Client,
  revisionId: string,
  segment = 'revision',
): Promise<R> {
  const path = `${segment}/${revisionId}/`
  const deadline = Date.now() + PROCESSING_MS_MAX
  for (let waitMs = 10; ; waitMs = Math.min(waitMs * 1.5, 250)) {
    const { body } = await owner.get<{ is_processing: boolean }>(`${path}status/`)
    if (!body.is_processing) break
    assert.ok(
      Date.now() < deadline,
      `${revisionId} is still being processed after ${PROCESSING_MS_MAX} ms`,
    )
    await delay(waitMs)
  }
  const { body } = await owner.get<R>(path)
  assert.equal(body.is_processing, false, 'status/ and the revision should agree')
  return body
}

export async function publish(
  owner: Client,
  figure: string,
  data: DataToSend[],
  more: Record<string, unknown> = {},
): Promise<Revision> {
  const { api_id } = await newRevision(owner, figure, data, more)
  return processed(owner, api_id)
}

export function image(bytes: Uint8Array, format = 'png'): DataToSend {
  const metadata = { local_id: crypto.randomUUID(), format, is_watermarked: false }
  return { name: 'figure', type: 'image', metadata, data: base64(bytes) }
}

export function code(bytes: Uint8Array): DataToSend {
  const metadata = { language: 'Python', format: 'text', encoding: 'utf-8' }
  return { name: 'cell', type: 'code', metadata, data: base64(bytes) }
}

export function file(bytes: Uint8Array, name = 'raw.bin'): DataToSend {
  return { name, type: 'file', metadata: { path: null }, data: base64(bytes) }
}

export function table(csv: string, name = 'table.csv'): DataToSend {
  const metadata = { format: 'pandas/csv', encoding: 'utf-8' }
  return { name, type: 'dataframe', metadata, data: base64(Buffer.from(csv)) }
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

/** An element of a list; throws if it is missing. */
export function at<T>(list: readonly T[] | null | undefined, index: number): T {
  const element = list?.at(index)
  assert.ok(element !== undefined, `the list should have an element ${index}`)
  return element
}

/** All responses that a rejected write could have changed. */
export async function snapshot(owner: Client, place: Place): Promise<string[]> {
  const paths = [
    'workspace/',
    'analysis/',
    'figure/',
    'revision/',
    `workspace/${place.workspace.api_id}/`,
    `analysis/${place.analysis.api_id}/`,
    `figure/${place.figure.api_id}/`,
  ]
  return Promise.all(paths.map(async (path) => (await owner.get(path)).text))
}

const PROCESSING_MS_MAX = 30_000

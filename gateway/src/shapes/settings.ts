import type { Settings } from '@figbase/proto/identity/site'
import { z } from 'zod'
import type { Config } from '../config.js'

/** The settings, and the limits from the configuration. */
export const settingsSchema = z
  .object({
    site_name: z.string(),
    announcement: z.string(),
    sign_up_enabled: z.boolean(),
    link_sharing_enabled: z.boolean(),
    ai_enabled: z.boolean(),
    ai_model: z.string().nullable(),
    ai_supported_models: z.array(z.string()),
    compute_enabled: z.boolean(),
    json_body_bytes_max: z.int(),
    upload_body_bytes_max: z.int(),
    upload_bytes_max: z.int(),
    upload_objects_max: z.int(),
    metadata_bytes_max: z.int(),
    api_keys_max: z.int(),
  })
  .meta({
    id: 'Settings',
    base: 'SettingsUpdate',
    description: 'The settings of the site, and limits of the installation.',
  })

export const settingsShape = (settings: Settings, cfg: Config) => ({
  site_name: settings.siteName,
  announcement: settings.announcement,
  sign_up_enabled: settings.signUpEnabled,
  link_sharing_enabled: settings.linkSharingEnabled,
  ai_enabled: settings.aiEnabled,
  ai_model: settings.aiModel || null,
  ai_supported_models: settings.aiSupportedModels,
  compute_enabled: cfg.computeDriver !== 'off',
  json_body_bytes_max: cfg.jsonBodyBytesMax,
  upload_body_bytes_max: cfg.uploadBodyBytesMax,
  upload_bytes_max: cfg.uploadBytesMax,
  upload_objects_max: cfg.uploadObjectsMax,
  metadata_bytes_max: Number(settings.metadataBytesMax),
  api_keys_max: settings.apiKeysMax,
})

import { serve } from '@figbase/kit/service'
import { catalog } from './index.js'

await serve(catalog)

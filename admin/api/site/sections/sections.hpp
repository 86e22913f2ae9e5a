// The sections of /api/v1/, each in its own source.
#pragma once

#include "admin/api/site/calls/calls.hpp"

namespace netml::admin::web {

void add_session(Routes& routes);
void add_map(Routes& routes);
void add_quality(Routes& routes);
void add_quality_fixes(Routes& routes);
void add_redundancy(Routes& routes);
void add_policies(Routes& routes);
void add_views(Routes& routes);
void add_records(Routes& routes);
void add_bulk_edit(Routes& routes);
void add_overrides(Routes& routes);
void add_record_history(Routes& routes);
void add_tokens(Routes& routes);
void add_settings(Routes& routes);
void add_accounts(Routes& routes);
void add_plain_tables(Routes& routes);
void add_identities(Routes& routes);
void add_rules(Routes& routes);
void add_imports(Routes& routes);
void add_publications(Routes& routes);
void add_polling(Routes& routes);
void add_receipts(Routes& routes);
void add_webhooks(Routes& routes);
void add_activity(Routes& routes);
void add_overview(Routes& routes);
void add_transactions(Routes& routes);
void add_cluster(Routes& routes);

}  // namespace netml::admin::web

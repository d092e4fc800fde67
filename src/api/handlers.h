// The handlers, one file per resource: health.cc, status.cc, openapi.cc, acp.cc, agents.cc, agent_install.cc, fs_entries.cc,
// fs_file.cc, fs_archive.cc, config.cc, ui.cc, removed.cc. Each is the specification of its route in code.
#pragma once

#include "api/api.h"

namespace sa {

Task<Result<Response>> get_root(Api& api, Request& request);
Task<Result<Response>> get_health(Api& api, Request& request);
Task<Result<Response>> get_healthz(Api& api, Request& request);

Task<Result<Response>> get_status(Api& api, Request& request);
Task<Result<Response>> get_openapi(Api& api, Request& request);

Task<Result<Response>> list_acp(Api& api, Request& request);
Task<Result<Response>> post_acp(Api& api, Request& request);
Task<Result<Response>> get_acp(Api& api, Request& request);
Task<Result<Response>> delete_acp(Api& api, Request& request);
Task<Result<Response>> get_acp_stderr(Api& api, Request& request);

Task<Result<Response>> list_agents(Api& api, Request& request);
Task<Result<Response>> get_agent(Api& api, Request& request);
Task<Result<Response>> install_agent(Api& api, Request& request);
Task<Result<Response>> remove_agent(Api& api, Request& request);

Task<Result<Response>> get_fs_entries(Api& api, Request& request);
Task<Result<Response>> get_fs_stat(Api& api, Request& request);
Task<Result<Response>> delete_fs_entry(Api& api, Request& request);
Task<Result<Response>> post_fs_mkdir(Api& api, Request& request);
Task<Result<Response>> post_fs_move(Api& api, Request& request);
Task<Result<Response>> get_fs_file(Api& api, Request& request);
Task<Result<Response>> put_fs_file(Api& api, Request& request);
Task<Result<Response>> post_fs_upload_batch(Api& api, Request& request);

Task<Result<Response>> get_mcp_config(Api& api, Request& request);
Task<Result<Response>> put_mcp_config(Api& api, Request& request);
Task<Result<Response>> delete_mcp_config(Api& api, Request& request);
Task<Result<Response>> get_skills_config(Api& api, Request& request);
Task<Result<Response>> put_skills_config(Api& api, Request& request);
Task<Result<Response>> delete_skills_config(Api& api, Request& request);

Task<Result<Response>> redirect_to_ui(Api& api, Request& request);
Task<Result<Response>> get_ui(Api& api, Request& request);

Task<Result<Response>> answer_removed(Api& api, Request& request);

}  // namespace sa

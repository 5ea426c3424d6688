# Copyright 2026 The fount Authors. All rights reserved.
# Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

# A Rails application whose users sign up and log in by Devise's own controllers.

require "action_controller/railtie"
require "active_record/railtie"
require "action_mailer/railtie"
require "devise"
require "devise/orm/active_record"
require "rack/test"

password, stored, address = ARGV

class App < Rails::Application
  config.eager_load = false
  config.hosts.clear
  config.logger = Logger.new(nil)
  config.secret_key_base = "k" * 64
  config.consider_all_requests_local = true
  config.action_dispatch.show_exceptions = false # a defect goes through
  config.session_store :cookie_store, key: "s"
end
Devise.setup { |config| config.secret_key = "k" * 64 }
require_relative "fountd_devise"

class User < ActiveRecord::Base
  devise :database_authenticatable, :registerable, :validatable
  include FountdDevise
end

class ApplicationController < ActionController::Base
  self.allow_forgery_protection = false
  before_action { FountdDevise::Current.address = request.remote_ip }
  rescue_from FountdDevise::Unavailable do |e|
    response.headers["Retry-After"] = e.retry_after
    render plain: "Please try again soon.", status: 503
  end

  def root
    render plain: current_user ? "Welcome." : "Who are you?"
  end
end

App.routes.prepend do
  devise_for :users
  root to: "application#root"
end
ENV["DATABASE_URL"] = "sqlite3::memory:"
App.initialize!
ActiveRecord::Base.connection.create_table(:users) do |t|
  t.string :email, default: "", null: false
  t.string :encrypted_password, default: "", null: false
end

include Rack::Test::Methods
def app = App
User.new(email: "ada@example.org", encrypted_password: stored).save!(validate: false)
[%w[/users/sign_in ada], %w[/users bob], %w[/users/sign_in bob]].each do |path, name|
  clear_cookies
  post(path, { user: { email: "#{name}@example.org", password: password } }, { "REMOTE_ADDR" => address })
  case last_response.status
  when 503 then puts "try again in #{last_response["Retry-After"]} s"; exit
  when 302, 303
    abort("no session") if get("/").body != "Welcome."
    puts "true #{User.find_by(email: "#{name}@example.org").encrypted_password}"
  else puts "#{"invalid: " if last_response.body.include?("error_explanation")}#{last_response.status}"
  end
end

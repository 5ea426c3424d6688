# Copyright 2026 The fount Authors. All rights reserved.
# Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

# An application of Rails in one file, whose users sign up and log in by Devise's own controllers.
# Yours needs what names FountdDevise: the line in the model, and those in ApplicationController.

require "action_controller/railtie"
require "active_record/railtie"
require "action_mailer/railtie"
require "devise"
require "devise/orm/active_record"

class App < Rails::Application
  config.eager_load = false
  config.hosts.clear
  config.log_level = :warn
  config.secret_key_base = SecureRandom.hex(64) # who restarts it signs all users out
  config.session_store :cookie_store, key: "s"
end
Devise.setup do |config|
  config.secret_key = SecureRandom.hex(64)
  config.password_length = 8..5000 # fountd says what is too long
end
require_relative "fountd_devise"

class User < ActiveRecord::Base
  devise :database_authenticatable, :registerable, :validatable
  include FountdDevise
end

class ApplicationController < ActionController::Base
  respond_to :html, :json

  # No form of another site can send JSON.
  protect_from_forgery with: :exception, unless: -> { request.media_type == "application/json" }
  before_action { FountdDevise::Current.address = request.remote_ip }
  rescue_from FountdDevise::Unavailable do |e|
    logger.error(e.message)
    response.headers["Retry-After"] = e.retry_after
    render plain: "Please try again soon.\n", status: 503
  end

  def root
    render plain: current_user ? "Welcome.\n" : "Who are you?\n"
  end
end

App.routes.prepend do
  devise_for :users
  root to: "application#root"
end

ENV["DATABASE_URL"] ||= "sqlite3:users.db"
App.initialize!
unless ActiveRecord::Base.connection.table_exists?(:users)
  ActiveRecord::Base.connection.create_table(:users) do |t|
    t.string :email, null: false, index: { unique: true }
    t.string :encrypted_password, null: false, limit: 640
  end
end

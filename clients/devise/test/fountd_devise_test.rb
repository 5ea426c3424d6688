# Copyright 2026 The fount Authors. All rights reserved.
# Use of this source code is governed by a BSD-style license that can be found in the LICENSE file.

# A Rails application whose users sign up and log in by Devise's own controllers, before a fountd.

require "action_controller/railtie"
require "active_record/railtie"
require "action_mailer/railtie"
require "devise"
require "devise/orm/active_record"
require "rack/test"
require "minitest/autorun"

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
require_relative "../fountd_devise"

class User < ActiveRecord::Base
  devise :database_authenticatable, :registerable, :validatable, :lockable,
         lock_strategy: :failed_attempts, unlock_strategy: :none
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
ActiveRecord::Base.connection.create_table(:users, primary_key: :number) do |t|
  t.string :email, default: "", null: false
  t.string :encrypted_password
  t.integer :failed_attempts, default: 0, null: false
  t.datetime :locked_at
  t.integer :lock_version # which ActiveRecord raises where it can
end

class FountdDeviseTest < Minitest::Test
  include Rack::Test::Methods

  PASSWORD = "correct horse battery staple"
  STORED = "$2b$10$xPdJfNz5DFgwalm28vVjB.3uKsiWHDMC67zMLcA840LzZQIx1YAg6"
  URL = ENV.fetch("FOUNTD_URL", nil)

  def app = App

  def setup
    skip "FOUNTD_URL is not set: where is fountd?" unless URL
    ENV["FOUNTD_URL"] = URL
    User.delete_all
    @ada = User.new(email: "ada@example.org", encrypted_password: STORED)
    @ada.save!(validate: false)
  end

  def submit(path, email, password)
    clear_cookies
    post(path, { user: { email: email, password: password } })
    last_response
  end

  def sign_in(email, password)
    submit("/users/sign_in", email, password)
    [302, 303].include?(last_response.status)
  end

  def test_a_login_replaces_an_old_hash
    refute sign_in("ada@example.org", "wrong")
    assert_equal STORED, @ada.reload.encrypted_password
    assert sign_in("ada@example.org", PASSWORD)
    assert_equal "Welcome.", get("/").body
    upgraded = @ada.reload.encrypted_password
    assert_match(/\A\$argon2id\$/, upgraded)

    assert sign_in("ada@example.org", PASSWORD)
    assert_equal upgraded, @ada.reload.encrypted_password
    refute sign_in("ada@example.org", "wrong")
    @ada.reload.update!(password: "another one")
    assert_equal "Who are you?", get("/").body
  end

  def test_a_hash_that_another_password_matches_stays
    truncated = "$2a$10$1l9.kvQTsqNLiCYFqmKtQOHkp.BrgIrwsnTzWo9jdbQRbuBYQ/AVK" # of 73 characters
    @ada.update_columns(encrypted_password: truncated)
    assert sign_in("ada@example.org", "#{"1234567890" * 7}123")
    assert_equal truncated, @ada.reload.encrypted_password
  end

  def test_somebody_else_replaces_the_hash
    other = User.find(@ada.id)
    assert @ada.valid_password?(PASSWORD)
    assert other.valid_password?(PASSWORD)
    assert_equal @ada.encrypted_password, other.encrypted_password

    stale = User.find(@ada.id).tap { |user| user.encrypted_password = STORED }
    @ada.reload.update!(password: "another one")
    refute stale.valid_password?(PASSWORD)
  end

  def test_an_unknown_user_and_one_without_a_password
    wrong = submit("/users/sign_in", "ada@example.org", "wrong").body
    assert_equal wrong.sub("ada", "bob"), submit("/users/sign_in", "bob@example.org", "wrong").body
    assert_equal 1, User.count
    @ada.update_columns(encrypted_password: nil)
    refute sign_in("ada@example.org", PASSWORD)
    refute @ada.valid_password?(nil)
  end

  def test_faults_are_told_apart
    User.password_length = 1..5000
    assert_includes submit("/users", "bob@example.org", "x" * 1025).body, "The password is too long."
    refute sign_in("ada@example.org", "x" * 1025)
    refute @ada.update(password: "x" * 1025)
    assert_equal STORED, @ada.encrypted_password
    @ada.update_columns(encrypted_password: "no hash")
    assert_equal "fountd: 422", assert_raises(RuntimeError) { sign_in("ada@example.org", PASSWORD) }.message

    ENV["FOUNTD_URL"] = "http://127.0.0.1:1"
    refute sign_in("ada@example.org", PASSWORD)
    assert_equal [503, "1"], [last_response.status, last_response["Retry-After"]]
    assert_equal 1, @ada.reload.failed_attempts # of the password that was too long
  end
end
